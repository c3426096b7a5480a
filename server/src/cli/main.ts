import { runCommandLine } from './index.ts'

process.exitCode = await runCommandLine(process.argv.slice(2))
