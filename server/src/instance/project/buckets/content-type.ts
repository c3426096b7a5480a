import { open } from 'node:fs/promises'
import { extname } from 'node:path'

/** Types that the first bytes of a file do not tell; images, archives and office documents tell theirs. */
const named: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html'],
  ['.htm', 'text/html'],
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
  ['.mjs', 'text/javascript'],
  ['.csv', 'text/csv'],
  ['.tsv', 'text/tab-separated-values'],
  ['.md', 'text/markdown'],
  ['.txt', 'text/plain'],
  ['.log', 'text/plain'],
  ['.ics', 'text/calendar'],
  ['.vcf', 'text/vcard'],
  ['.vtt', 'text/vtt'],
  ['.xml', 'text/xml'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
  ['.toml', 'application/toml'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.geojson', 'application/geo+json'],
  ['.jsonld', 'application/ld+json'],
  ['.webmanifest', 'application/manifest+json'],
  ['.ndjson', 'application/x-ndjson'],
  ['.svg', 'image/svg+xml'],
  ['.rss', 'application/rss+xml'],
  ['.atom', 'application/atom+xml'],
  ['.gpx', 'application/gpx+xml'],
  ['.sql', 'application/sql'],
  ['.sh', 'application/x-sh'],
  ['.tar', 'application/x-tar'],
  ['.doc', 'application/msword'],
  ['.xls', 'application/vnd.ms-excel'],
  ['.ppt', 'application/vnd.ms-powerpoint'],
  ['.m3u8', 'application/vnd.apple.mpegurl'],
  ['.mp3', 'audio/mpeg'],
  ['.ttf', 'font/ttf'],
])

const headBytes = 4100

/** The media type of a file: by its name, else by its first bytes. Text is in UTF-8 where nothing else is known. */
export async function contentTypeOf(path: string): Promise<string> {
  const known = named.get(extname(path).toLowerCase())
  if (known !== undefined) return known.startsWith('text/') ? `${known}; charset=utf-8` : known
  const head = await firstBytes(path)
  const { fileTypeFromBuffer } = await import('file-type')
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
