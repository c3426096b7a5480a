import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Product } from '../e2e/support/product.ts'
import { compare } from './compare.ts'
import { startFloor } from './processes.ts'

/** Batches as exporters send them: of a server with little to do, and the most that they send at once by themselves. */
const cases = [
  { encoding: 'Protobuf', spans: 64 },
  { encoding: 'Protobuf', spans: 512 },
  { encoding: 'JSON', spans: 512 },
] as const
const batches = 60

/** Spans a second, beside a server that appends the same bodies to a file with a shared `fdatasync` and reads nothing of them. */
export async function measureOtlp(product: Product, file: string): Promise<void> {
  for (const { encoding, spans } of cases) {
    const bodies = await recordBodies(encoding, spans)
    const floor = await startFloor(fileURLToPath(new URL('./spool-floor.ts', import.meta.url)), [file])
    const type = encoding === 'JSON' ? 'application/json' : 'application/x-protobuf'
    const post = (path: string) => (n: number) => ({
      method: 'POST',
      path,
      headers: { 'content-type': type, apikey: product.secretKey },
      body: bodies[n % bodies.length] ?? Buffer.alloc(0),
    })
    await compare(
      `OTLP in batches of ${spans}, ${encoding}, spans`,
      { clew: Number(new URL(product.apiUrl).port), floor: floor.port },
      { clew: post('/v1/traces'), floor: post('/') },
      spans,
    )
    floor.child.kill()
  }
}

/** What the official exporter sends, batch by batch: a server's span and those of its two queries, again and again. */
async function recordBodies(encoding: (typeof cases)[number]['encoding'], spans: number): Promise<readonly Buffer[]> {
  const bodies: Buffer[] = []
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks))
      response.writeHead(200).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  // A server that listens on a port has an address of this kind.
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`
  const exporter = encoding === 'JSON' ? new JsonExporter({ url }) : new ProtobufExporter({ url })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.3', 'host.name': 'shop-1' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxExportBatchSize: spans, maxQueueSize: spans * 2 })],
  })
  const tracer = provider.getTracer('bench')
  for (let batch = 0; batch < batches; batch += 1) {
    for (let index = 0; index < spans; index += 1) {
      const attributes =
        index % 3 === 0
          ? {
              'http.request.method': 'GET',
              'http.route': '/orders/:id',
              'url.path': `/orders/${index}`,
              'http.response.status_code': 200,
            }
          : {
              'db.system.name': 'postgresql',
              'db.query.text': 'select * from orders where id = $1',
              'db.response.returned_rows': 1,
            }
      tracer.startSpan(index % 3 === 0 ? 'GET /orders/:id' : 'select orders', { attributes }).end()
    }
    await provider.forceFlush()
  }
  await provider.shutdown()
  receiver.close()
  return bodies
}
