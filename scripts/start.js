// `npm start`: everything with the example application. Further arguments go to `clew start`.
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

await prepare()
const { runCommandLine } = await import('../server/dist/cli/index.js')
const given = process.argv.slice(2)
const project = given.some((argument) => argument.startsWith('--project'))
  ? []
  : ['--project', join(root, 'examples', 'cafe')]
process.exitCode = await runCommandLine(['start', ...project, ...given])
