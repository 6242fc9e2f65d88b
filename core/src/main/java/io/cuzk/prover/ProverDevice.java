package io.cuzk.prover;

import java.util.Map;

/**
 * A device that a backend could open, as its provider describes it.
 *
 * @param device its name, as {@link ProverBackend#device} has it
 * @param memoryBytes its own memory
 * @param facts what else is known of it, by JSON key: strings and integers
 */
public record ProverDevice(String device, long memoryBytes, Map<String, Object> facts) {}
