package io.cuzk.curve;

final class G2Test extends GroupTest {
  G2Test() {
    super(Group.G2);
  }
}
