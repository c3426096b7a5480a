#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=1048576 node
// `npm start`: everything with the example application. Further arguments go to `clew start`. The first line is that of
// server/bin/clew.js, and there is its reason.
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

await prepare()
const { runCommandLine } = await import('../server/dist/cli/index.js')
const given = process.argv.slice(2)
const project = given.some((argument) => argument.startsWith('--project'))
  ? []
  : ['--project', join(root, 'examples', 'cafe')]
process.exitCode = await runCommandLine(['start', ...project, ...given])
