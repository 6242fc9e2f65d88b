package io.cuzk.gpu;

import jcuda.Pointer;

/** A raw address of the host for JCuda, which otherwise takes buffers of less than 2 GiB. */
final class HostAddress extends Pointer {
  HostAddress(long address) {
    super(address);
  }
}
