/** Types of it come with those of browsers alone. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
}

const wasmPageBytes = 65_536

/** Memory that begins at a page, which that of a `Buffer` does not: WebAssembly's does. */
export function memoryAtPage(leastBytes: number): Uint8Array {
  const { buffer } = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(leastBytes / wasmPageBytes)) })
  return new Uint8Array(buffer)
}
