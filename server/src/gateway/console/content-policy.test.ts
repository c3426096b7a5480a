import { expect, test } from 'vitest'
import { contentPolicy } from './content-policy.ts'

const page = '<script>let a = 1</script><script type="module" src="/console/a.js"></script>'

test('scripts run from the console’s own files, or by the hash of what stands in its page', () => {
  const [scripts] = /script-src [^;]*/.exec(contentPolicy(page, ['https://cdn.test'])) ?? []
  // printf 'let a = 1' | openssl dgst -sha256 -binary | base64
  expect(scripts).toBe("script-src 'self' 'sha256-LAfYd7pbFUgwfQu8b4q135PeTG2z+/coPEUYCd74eCQ='")
})

test('only what a page looks like comes from other origins, and only from those that are named', () => {
  const directives = new Map(
    contentPolicy(page, ['https://cdn.test'])
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources] as const
      }),
  )
  const named = [...directives].filter(([, sources]) => sources.includes('https://cdn.test')).map(([name]) => name)
  expect(named).toEqual(['style-src', 'img-src', 'font-src', 'media-src'])
  for (const name of ['default-src', 'frame-src', 'object-src', 'base-uri', 'frame-ancestors'])
    expect([name, directives.get(name)]).toEqual([name, ["'none'"]])
  expect(directives.get('connect-src')).toEqual(["'self'"])
})
