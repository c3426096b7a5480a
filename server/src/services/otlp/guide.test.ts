import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, vi } from 'vitest'
import { secretKey, test } from '../../../test/otlp-world.ts'

const guide = readFileSync(new URL('../../../../docs/guide/opentelemetry.md', import.meta.url), 'utf8')
const [variables = '', curl = ''] = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? '')

test('the guide’s variables are all that an exporter needs', async ({ otlp }) => {
  const told = [...variables.matchAll(/^export (\w+)="?(.*?)"?$/gm)]
  expect(told.map(([, name]) => name)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
  for (const [, name = '', value = ''] of told)
    vi.stubEnv(name, value.replace('http://127.0.0.1:54321', otlp.url).replace('$CLEW_SECRET_KEY', secretKey))
  try {
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] })
    provider.getTracer('guide').startSpan('by variables').end()
    await provider.forceFlush()
    await provider.shutdown()
  } finally {
    vi.unstubAllEnvs()
  }
  expect(await otlp.spans()).toMatchObject([{ name: 'by variables' }])
})

test('the guide’s command sends a span', async ({ otlp }) => {
  const shell = spawn('bash', ['-ec', curl], {
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, CLEW_SECRET_KEY: secretKey },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect((await once(shell, 'exit'))[0]).toBe(0)
  expect(await otlp.spans()).toMatchObject([{ name: 'hello', kind: 'server', duration_ns: '500000000' }])
})
