package io.cuzk.curve;

final class G1Test extends GroupTest {
  G1Test() {
    super(Group.G1);
  }
}
