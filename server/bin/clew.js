#!/usr/bin/env node
// The `clew` command. In a clone it first installs and builds what is missing; published, it finds everything there.
import { existsSync } from 'node:fs'

const prepareScript = new URL('../../scripts/prepare.js', import.meta.url)
if (existsSync(prepareScript)) {
  const { prepare } = await import(prepareScript.href)
  await prepare({ example: false })
}
const { runCommandLine } = await import('../dist/cli/index.js')
process.exitCode = await runCommandLine(process.argv.slice(2))
