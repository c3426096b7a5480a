import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { expect, test } from 'vitest'
import { readState } from './due.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const at = (day: string) => new Date(`${day}T00:00:00Z`)

/** A certificate for a name, made by another's key or by its own. */
async function certificateOf(
  name: string,
  [from, to]: readonly [string, string],
  isSelfSigned = false,
): Promise<string> {
  const generate = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [keys, authority] = [await generate(), await generate()]
  const made = await x509.X509CertificateGenerator.create(
    {
      ...{ subject: 'CN=it', issuer: isSelfSigned ? 'CN=it' : 'CN=authority', notBefore: at(from), notAfter: at(to) },
      ...{ publicKey: keys.publicKey, signingAlgorithm: algorithm },
      signingKey: (isSelfSigned ? keys : authority).privateKey,
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
    },
    webcrypto,
  )
  return made.toString('pem')
}

test.each([
  ['30 days before its end', ['2026-01-01', '2026-12-31'], '2026-12-01'],
  ['a third of its life before its end, where that is less', ['2026-01-01', '2026-01-31'], '2026-01-21'],
] as const)('a certificate is renewed %s', async (_, life, renewAt) => {
  expect(readState(await certificateOf('api.example.com', life), ['api.example.com'], 30)).toEqual({
    ...{ isTrusted: true, validTo: at(life[1]), renewAt: at(renewAt) },
  })
})

test('a self-signed certificate, and one for other names, are due at once', async () => {
  const life = ['2026-01-01', '2026-12-31'] as const
  const own = await certificateOf('api.example.com', life, true)
  expect(readState(own, ['api.example.com'], 30)).toMatchObject({ isTrusted: false, renewAt: at('2026-01-01') })
  const other = await certificateOf('api.example.com', life)
  expect(readState(other, ['api.example.com', 'console.example.com'], 30).renewAt).toEqual(at('2026-01-01'))
})
