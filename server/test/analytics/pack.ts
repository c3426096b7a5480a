import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import type { Form } from '../cases/analytics/case.ts'

/** A body as it is sent. */
export interface Packed {
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** `data` of the query string. */
  readonly parameter?: string
}

const plain = { 'content-type': 'text/plain' }
const json = { 'content-type': 'application/json' }
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')

/** How each form packs a JSON text. */
export const packings: Readonly<Record<Form, (text: string) => Packed>> = {
  json: () => ({ headers: json }),
  gzip: (text) => ({ body: gzipSync(text), headers: plain }),
  'gzip header': (text) => ({ body: gzipSync(text), headers: { ...json, 'content-encoding': 'gzip' } }),
  'deflate header': (text) => ({ body: deflateSync(text), headers: { ...json, 'content-encoding': 'deflate' } }),
  'brotli header': (text) => ({ body: brotliCompressSync(text), headers: { ...json, 'content-encoding': 'br' } }),
  'json form': (text) => ({ body: `data=${encodeURIComponent(text)}`, headers: asForm }),
  'base64 form': (text) => ({ body: `data=${encodeURIComponent(base64(text))}`, headers: asForm }),
  'careless base64 form': (text) => ({ body: `data=${base64(text).replaceAll('+', ' ')}`, headers: asForm }),
  base64: (text) => ({ body: base64(text), headers: plain }),
  'base64 of gzip': (text) => ({ body: base64(gzipSync(text)), headers: plain }),
  'gzip of base64': (text) => ({ body: gzipSync(base64(text)), headers: plain }),
  lz64: (text) => ({ body: lzString.compressToBase64(text), headers: plain }),
  'lz64 form': (text) => ({
    body: `data=${encodeURIComponent(lzString.compressToBase64(text))}`,
    headers: asForm,
  }),
  pixel: (text) => ({ parameter: text }),
  'base64 pixel': (text) => ({ parameter: base64(text) }),
}
