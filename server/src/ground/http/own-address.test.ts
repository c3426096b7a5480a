import { expect, test } from 'vitest'
import { findOwnUrl } from './own-address.ts'

const own = { url: 'http://127.0.0.1:6000', port: 6000 }
const leadsTo = (address: string, allowed: readonly string[] = []) => findOwnUrl(address, own, allowed)?.href

test.for([
  'http://localhost:6000/x?y=1',
  'http://127.0.0.1:6000/x?y=1',
  'http://kong:8000/x?y=1',
  'http://supabase_kong_app:8000/x?y=1',
  'http://host.docker.internal:54321/x?y=1',
  'http://host.docker.internal:6000/x?y=1',
  'http://172.17.0.1:54321/x?y=1',
])('%s is the instance’s own API', (address) => {
  expect(leadsTo(address)).toBe('http://127.0.0.1:6000/x?y=1')
})

test.for([
  'http://localhost:54321/',
  'http://localhost/',
  'https://kong:8000/',
  'http://kong:8001/',
  'http://kong.example.com:8000/',
  'http://host.docker.internal:5432/',
  'http://169.254.169.254/',
])('%s is another server', (address) => {
  expect(leadsTo(address)).toBeUndefined()
})

test.for([
  ['https://localhost:6000/x?y=1', 'https://127.0.0.1:6000/x?y=1'],
  ['http://kong:8000/x', 'https://127.0.0.1:6000/x'],
  ['https://localhost/', undefined],
])('of an instance that speaks HTTPS, %s leads to %s', ([address, to]) => {
  expect(findOwnUrl(address ?? '', { url: 'https://127.0.0.1:6000', port: 6000 }, [])?.href).toBe(to)
})

test('a path of a service is one of the instance’s own API, and another is not', () => {
  expect(leadsTo('/functions/v1/receipt?y=1')).toBe('http://127.0.0.1:6000/functions/v1/receipt?y=1')
  for (const path of ['/x', '//evil.example/v1/x', '/../v1/x']) expect(leadsTo(path)).toBeUndefined()
})

test('an instance that listens on another address than loopback is itself there, too', () => {
  const there = { url: 'http://10.0.0.5:6000', port: 6000 }
  expect(findOwnUrl('http://10.0.0.5:6000/x', there, [])?.href).toBe('http://10.0.0.5:6000/x')
})

test('a path of two slashes stays a path of the instance', () => {
  expect(leadsTo('http://kong:8000//evil.example/x')).toBe('http://127.0.0.1:6000//evil.example/x')
})

test('a name that the settings allow leads where it leads', () => {
  expect(leadsTo('http://kong:8000/', ['kong'])).toBeUndefined()
})
