import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Live } from './live-session.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a session ceases to be live a minute after its last sign of life, though nothing is loaded again', () => {
  render(<Live session={{ live: true, quietMs: 20_000 }} otherwise="over" />)
  act(() => vi.advanceTimersByTime(39_000))
  expect(screen.getByText('live')).toBeTruthy()
  act(() => vi.advanceTimersByTime(2000))
  expect(screen.getByText('over')).toBeTruthy()
})

test('an answer that is shown again later is not live again', () => {
  const session = { live: true, quietMs: 0 }
  const { unmount } = render(<Live session={session} otherwise="over" />)
  unmount()
  vi.advanceTimersByTime(61_000)
  render(<Live session={session} otherwise="over" />)
  expect(screen.getByText('over')).toBeTruthy()
})

test('a newer answer counts', () => {
  const { rerender } = render(<Live session={{ live: true, quietMs: 50_000 }} otherwise="over" />)
  act(() => vi.advanceTimersByTime(5000))
  rerender(<Live session={{ live: true, quietMs: 0 }} otherwise="over" />)
  act(() => vi.advanceTimersByTime(50_000))
  expect(screen.getByText('live')).toBeTruthy()
})
