// The floor of uploads, downloads and changed images: a Node server that streams a body into a file, flushes and renames it,
// streams a file back, and resizes one image by sharp. `node storage-floor.ts FOLDER IMAGE`
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'

const [folder = '', imagePath = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const image = await readFile(imagePath)
let uploads = 0

const server = createServer((request, response) => {
  // A round ends while requests run: their connections are closed.
  answer(request, response).catch(() => response.destroy())
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor')
  const path = join(folder, pathname.replaceAll('/', '-'))
  if (request.method === 'POST') {
    uploads += 1
    const temporary = `${path}.${uploads}`
    await pipeline(request, createWriteStream(temporary))
    const file = await open(temporary, 'r+')
    await file.datasync()
    await file.close()
    await rename(temporary, path)
    response.end('{}')
  } else if (pathname === '/image') {
    const bytes = await sharp(image)
      .resize(Number(searchParams.get('width')))
      .jpeg({ quality: 80 })
      .toBuffer()
    response.setHeader('content-length', bytes.length)
    response.end(bytes)
  } else {
    const file = await open(path, 'r')
    response.setHeader('content-length', (await file.stat()).size)
    await file.close()
    await pipeline(createReadStream(path), response)
  }
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
