#!/bin/bash
# Makes the images that deploy/ and the tests beside this folder name, on a machine that reaches Debian's packages and npm's,
# and no registry of images: e2e/deploy/images/make.sh. As root, with debootstrap, npm and a Docker engine.
set -euo pipefail
cd "$(dirname "$0")"

# A build trusts whom this machine trusts: its connections may end at a proxy of its own.
trusted=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
label='clew.stand-in=true'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

has() { docker image inspect "$1" > /dev/null 2>&1; }

# Debian as node:22-bookworm-slim has it, with Node and npm from npm's packages `node` and `npm`.
make_node() {
  local root=$folder/root
  debootstrap --variant=minbase bookworm "$root" > /dev/null
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/usr/share/{doc,man,locale}/*
  npm install --prefix "$folder/npm" --ignore-scripts=false --no-save node@22 npm@10 > /dev/null
  install -m 0755 "$folder"/npm/node_modules/node/bin/node "$root/usr/local/bin/node"
  mkdir -p "$root"/usr/local/lib/node_modules "$root"/usr/local/etc "$root"/etc/ssl/certs
  cp -r "$folder"/npm/node_modules/npm "$root"/usr/local/lib/node_modules/npm
  for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done
  if [ -f "$trusted" ]; then
    cp "$trusted" "$root"/etc/ssl/certs/ca-certificates.crt
    echo 'cafile=/etc/ssl/certs/ca-certificates.crt' > "$root"/usr/local/etc/npmrc
  fi
  tar -C "$root" -c . | docker import --change 'CMD ["node"]' --change "LABEL $label" - node:22-bookworm-slim > /dev/null
}

make() {
  has "$1" || docker build --quiet --network host --label "$label" --tag "$1" "$2" > /dev/null
  echo "$1"
}

has node:22-bookworm-slim || make_node
echo node:22-bookworm-slim
# The engine that Clew embeds is ClickHouse's: its stand-in is made of Clew's own image.
has clew || docker build --quiet --network host --file ../../../deploy/Dockerfile --tag clew ../../.. > /dev/null
make postgres:18-bookworm postgres
make clickhouse/clickhouse-server:25.8 clickhouse
make chrislusf/seaweedfs:3.97 files
make localhost/clew-trial-server server
