#!/usr/bin/env bash
# Spark's discovery script: the GPUs of this host as one JSON object, {"name":"gpu","addresses":["GPU-6ef1…","GPU-90ab…"]}.
# Addresses are UUIDs, which mean the same card to nvidia-smi and CUDA; numbers do not, on hosts with cards of several kinds
# and wherever CUDA_VISIBLE_DEVICES is set. That variable, which nvidia-smi ignores, narrows the list here as it does for
# CUDA: up to its first entry that there is no GPU for. An entry MIG-… (a slice) is an address as it stands.
#   NVIDIA_SMI=FILE   another nvidia-smi
set -euo pipefail

smi=${NVIDIA_SMI:-nvidia-smi}
fail() {
  echo "getGpusResources: $1" >&2
  exit 5
}
if ! command -v "$smi" >/dev/null; then
  fail "no $smi on this host: install NVIDIA's driver, or ask for no GPU here (spark.worker.resource.gpu.amount, spark.executor.resource.gpu.amount)"
fi
if ! listed=$("$smi" --query-gpu=index,uuid --format=csv,noheader 2>&1); then
  fail "$smi failed: $(printf '%s' "$listed" | tr '\n' ' ')"
fi
indices=() uuids=()
while IFS= read -r line; do
  line=${line//[[:space:]]/}
  [ -n "$line" ] || continue
  if ! [[ $line =~ ^([0-9]+),(GPU-[0-9A-Za-z-]+)$ ]]; then
    fail "$smi listed '$line' where index and UUID of a GPU are expected"
  fi
  indices+=("${BASH_REMATCH[1]}")
  uuids+=("${BASH_REMATCH[2]}")
done <<<"$listed"
[ ${#uuids[@]} -gt 0 ] || fail "$smi lists no GPU on this host"

# The address of an entry of CUDA_VISIBLE_DEVICES; fails where there is none.
address_of() {
  local k
  if [[ $1 =~ ^MIG-[0-9A-Za-z/-]+$ ]]; then
    printf '%s' "$1"
    return
  fi
  for k in "${!uuids[@]}"; do
    if [ "${indices[k]}" = "$1" ] || { [[ $1 == GPU-?* ]] && [[ ${uuids[k]} == "$1"* ]]; }; then
      printf '%s' "${uuids[k]}"
      return
    fi
  done
  return 1
}

addresses=("${uuids[@]}")
if [ -n "${CUDA_VISIBLE_DEVICES+set}" ]; then
  addresses=()
  IFS=, read -r -a entries <<<"${CUDA_VISIBLE_DEVICES//[[:space:]]/}" || true
  for entry in ${entries[@]+"${entries[@]}"}; do
    address=$(address_of "$entry") || break
    addresses+=("$address")
  done
  [ ${#addresses[@]} -gt 0 ] || fail "CUDA_VISIBLE_DEVICES is \"$CUDA_VISIBLE_DEVICES\", which names no GPU of $smi -L"
fi
joined=$(printf ',"%s"' "${addresses[@]}")
printf '{"name":"gpu","addresses":[%s]}\n' "${joined:1}"
