import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import mime from 'mime'

const headBytes = 4100
const textual = /^text\/|^application\/(?:javascript|json|xml|toml)$|\+(?:json|xml)$/

/** The media type of a file: by its name, else by its first bytes. Text is in UTF-8 where nothing else is known. */
export async function contentTypeOf(path: string): Promise<string> {
  const named = mime.getType(extname(path))
  if (named !== null) return textual.test(named) ? `${named}; charset=utf-8` : named
  const head = await firstBytes(path)
  const found = await fileTypeFromBuffer(head)
  if (found !== undefined) return found.mime
  return isText(head) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    // The last character may be cut off by the end of the piece.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
