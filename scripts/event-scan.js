// The module that `npm run generate` makes of `server/wasm/event-scan.ts`: WebAssembly as text, so that whatever runs or bundles
// the server's sources has it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'
import { root } from './prepare.js'

const source = 'event-scan.ts'
const options = ['-O3', '--converge', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--initialMemory', '2']

/** @returns {Promise<string>} */
export async function eventScanModule() {
  let binary = new Uint8Array()
  const { error, stderr } = await asc.main([source, ...options, '--outFile', 'event-scan.wasm'], {
    readFile: (name) => (name === source ? readFileSync(join(root, 'server', 'wasm', source), 'utf8') : null),
    writeFile: (_name, contents) => {
      binary = contents
    },
    listFiles: () => [],
  })
  if (error !== null) throw new Error(`server/wasm/${source} does not compile:\n${stderr}`, { cause: error })
  const text = Buffer.from(binary).toString('base64')
  return `// Made of server/wasm/${source} by \`npm run generate\`.\n\n/** WebAssembly, in base64. */\nexport const eventScan =\n  '${text}'\n`
}
