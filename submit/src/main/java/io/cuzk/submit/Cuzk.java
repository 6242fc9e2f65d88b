package io.cuzk.submit;

/** placeholder. */
public final class Cuzk {
  private Cuzk() {}

  public static void main(String[] args) {
    System.out.println("hello");
  }
}
