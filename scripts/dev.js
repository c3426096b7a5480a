// `npm run dev`: the server from its sources, restarted on change, and the console with hot reload on port 5173.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

await prepare()
const children = [
  spawn(
    'npx',
    ['tsx', 'watch', join(root, 'server/src/cli/main.ts'), 'start', '--project', join(root, 'examples/cafe')],
    {
      stdio: 'inherit',
    },
  ),
  spawn('npx', ['vite', '--logLevel', 'warn'], { cwd: join(root, 'console'), stdio: 'inherit' }),
]
process.on('SIGINT', () => {
  for (const child of children) child.kill('SIGINT')
})
