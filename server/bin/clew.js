#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=1048576 node
// The `clew` command. The variables of the first line make glibc give freed memory back: threads that parse large bodies
// would otherwise leave 100 MiB of it with the process. In a clone it first installs and builds what is missing;
// published, it finds everything there.
import { existsSync } from 'node:fs'

const prepareScript = new URL('../../scripts/prepare.js', import.meta.url)
if (existsSync(prepareScript)) {
  const { prepare } = await import(prepareScript.href)
  await prepare({ example: false })
}
const { runCommandLine } = await import('../dist/cli/index.js')
process.exitCode = await runCommandLine(process.argv.slice(2))
