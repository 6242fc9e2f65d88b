#!/usr/bin/env bash
# Spark's discovery script: the GPUs of this host as one JSON object, {"name":"gpu","addresses":["0","1"]}.
# Addresses are nvidia-smi's indices, in the order of the PCI bus, so CUDA needs CUDA_DEVICE_ORDER=PCI_BUS_ID to count
# alike. NVIDIA_VISIBLE_DEVICES and the like are nvidia-smi's business: what it does not list is not there.
#   NVIDIA_SMI=FILE   another nvidia-smi
set -euo pipefail

smi=${NVIDIA_SMI:-nvidia-smi}
if ! command -v "$smi" >/dev/null; then
  echo "getGpusResources: no $smi on this host: install NVIDIA's driver, or ask for no GPU here (spark.worker.resource.gpu.amount, spark.executor.resource.gpu.amount)" >&2
  exit 5
fi
if ! listed=$("$smi" --query-gpu=index --format=csv,noheader 2>&1); then
  echo "getGpusResources: $smi failed: $(printf '%s' "$listed" | tr '\n' ' ')" >&2
  exit 5
fi
addresses=''
while IFS= read -r index; do
  index=${index//[[:space:]]/}
  [ -n "$index" ] || continue
  if ! [[ $index =~ ^[0-9]+$ ]]; then
    echo "getGpusResources: $smi listed '$index' where the index of a GPU is expected" >&2
    exit 5
  fi
  addresses+="${addresses:+,}\"$index\""
done <<<"$listed"
if [ -z "$addresses" ]; then
  echo "getGpusResources: $smi lists no GPU on this host" >&2
  exit 5
fi
printf '{"name":"gpu","addresses":[%s]}\n' "$addresses"
