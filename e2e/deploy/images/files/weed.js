#!/usr/bin/env node
// `weed server -s3 -s3.config=FILE -dir=FOLDER` serves; `weed shell` takes `s3.bucket.create -name NAME` on its standard input.
const { mkdirSync, readFileSync } = require('node:fs')
const S3rver = require('/opt/s3/node_modules/s3rver')
const AWSAccount = require('/opt/s3/node_modules/s3rver/lib/models/account')

const [command, ...args] = process.argv.slice(2)
const optionOf = (name) => args.find((arg) => arg.startsWith(`-${name}=`))?.slice(name.length + 2)

if (command === 'shell') {
  const [, name] = /^s3\.bucket\.create -name (\S+)$/m.exec(readFileSync(0, 'utf8'))
  mkdirSync(`/data/${name}`)
} else {
  for (const { name, credentials } of JSON.parse(readFileSync(optionOf('s3.config'), 'utf8')).identities) {
    const account = new AWSAccount(name, name)
    for (const { accessKey, secretKey } of credentials) account.createKeyPair(accessKey, secretKey)
  }
  new S3rver({ address: '0.0.0.0', port: 8333, directory: optionOf('dir'), vhostBuckets: false }).run()
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))
}
