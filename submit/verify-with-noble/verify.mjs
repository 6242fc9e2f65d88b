#!/usr/bin/env node
// node verify.mjs VK PROOF INPUTS
//
// Checks e(A, B) = e(alpha, beta) · e(X, gamma) · e(C, delta), X = ic0 + Σ input_j · ic_j, with @noble/curves, which
// shares no code with this project.
//   VK      bellperson's .vk file
//   PROOF   a file of 192 bytes (or of 192·P: then INPUTS is an array of P arrays), or its hex
//   INPUTS  JSON: an array without the leading one; "0x…" is a big-endian number, 64 bare hex digits are 32 bytes
//           little-endian
// Exit code 0: every proof verifies; 1: one does not, or something is malformed.
import { readFileSync, existsSync } from 'node:fs';
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';

const G1 = bls.G1.Point;
const G2 = bls.G2.Point;
const { Fp12, Fr } = bls.fields;

const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** A reader of uncompressed points: valid on the curve and in the subgroup, or an error. */
function reader(bytes) {
  let at = 0;
  const take = (n) => {
    if (at + n > bytes.length) throw new Error(`the verifying key ends at ${bytes.length}, ${at + n} bytes are needed`);
    return bytes.subarray(at, (at += n));
  };
  const point = (group, n) => {
    const p = group.fromBytes(take(n));
    p.assertValidity();
    return p;
  };
  return {
    g1: () => point(G1, 96),
    g2: () => point(G2, 192),
    u32: () => Buffer.from(take(4)).readUInt32BE(0),
    end: () => {
      if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes after the verifying key`);
    },
  };
}

function readKey(bytes) {
  const from = reader(bytes);
  const key = {};
  key.alpha = from.g1();
  from.g1(); // beta in G1: the prover's
  key.beta = from.g2();
  key.gamma = from.g2();
  from.g1(); // delta in G1: the prover's
  key.delta = from.g2();
  const count = from.u32();
  if (count < 1 || count > 1 << 20) throw new Error(`${count} ic points`);
  key.ic = Array.from({ length: count }, () => from.g1());
  from.end();
  return key;
}

function readProof(bytes) {
  const proof = {
    a: G1.fromBytes(bytes.subarray(0, 48)),
    b: G2.fromBytes(bytes.subarray(48, 144)),
    c: G1.fromBytes(bytes.subarray(144, 192)),
  };
  Object.values(proof).forEach((point) => point.assertValidity());
  return proof;
}

function readInput(text) {
  let value;
  if (/^0x[0-9a-fA-F]{1,64}$/.test(text)) value = BigInt(text);
  else if (/^[0-9a-fA-F]{64}$/.test(text)) value = BigInt('0x' + hex(Buffer.from(text, 'hex').reverse()));
  else throw new Error(`not an input: ${text}`);
  if (value >= Fr.ORDER) throw new Error(`not canonical: ${text}`);
  return value;
}

function verify(key, proof, inputs) {
  if (inputs.length !== key.ic.length - 1) {
    throw new Error(`${inputs.length} inputs, the verifying key takes ${key.ic.length - 1}`);
  }
  const x = inputs.reduce((sum, input, j) => (input === 0n ? sum : sum.add(key.ic[j + 1].multiply(input))), key.ic[0]);
  const product = bls.pairingBatch([
    { g1: proof.a.negate(), g2: proof.b },
    { g1: key.alpha, g2: key.beta },
    { g1: x, g2: key.gamma },
    { g1: proof.c, g2: key.delta },
  ]);
  return Fp12.eql(product, Fp12.ONE);
}

try {
  const [vkFile, proofText, inputsFile] = process.argv.slice(2);
  if (!inputsFile) {
    console.error('usage: node verify.mjs VK PROOF INPUTS');
    process.exit(1);
  }
  const key = readKey(readFileSync(vkFile));
  const proofs = existsSync(proofText) ? readFileSync(proofText) : Buffer.from(proofText, 'hex');
  if (proofs.length === 0 || proofs.length % 192 !== 0) throw new Error(`a proof of ${proofs.length} bytes`);
  const json = JSON.parse(readFileSync(inputsFile, 'utf8'));
  const lists = Array.isArray(json[0]) ? json : [json];
  if (lists.length !== proofs.length / 192) {
    throw new Error(`${proofs.length / 192} proofs, inputs for ${lists.length}`);
  }
  let good = true;
  lists.forEach((list, k) => {
    const begun = performance.now();
    const ok = verify(key, readProof(proofs.subarray(192 * k, 192 * (k + 1))), list.map(readInput));
    good &&= ok;
    console.log(`proof ${k}: ${ok ? 'verifies' : 'DOES NOT VERIFY'} (${((performance.now() - begun) / 1000).toFixed(2)} s)`);
  });
  process.exit(good ? 0 : 1);
} catch (e) {
  console.error(`verify-with-noble: ${e.message}`);
  process.exit(1);
}
