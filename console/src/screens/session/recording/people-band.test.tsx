import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SessionPerson } from '../../../lib/api/schemas.ts'
import { createAxis, wholeView } from '../../../player/tracks/axis/axis.ts'
import { PeopleBand } from './people-band.tsx'

const part = (name: string | null, fromMs: number, toMs: number, why: string | null = null): SessionPerson => ({
  person: name === null ? null : { distinctId: 'd1', personId: null, userId: name, email: null, name },
  fromMs,
  toMs,
  windowIds: [],
  exact: why === null,
  why,
})

const axisOf = (durationMs: number) => createAxis({ durationMs, width: 800, idle: [] }, wholeView)

test('each person stands over their part, and “not signed in” between them', () => {
  render(
    <PeopleBand
      axis={axisOf(80_000)}
      people={[part('Ana', 0, 20_000), part(null, 20_000, 30_000), part('Ben', 30_000, 80_000, 'a renderer’s call')]}
    />,
  )
  const parts = screen.getAllByRole('listitem')
  expect(parts.map(({ textContent }) => textContent)).toEqual([
    'Ana, 0:00 to 0:20',
    'not signed in, 0:20 to 0:30',
    'Ben ≈, 0:30 to 1:20, probable: a renderer’s call',
  ])
  expect(parts.map(({ style }) => [style.left, style.width])).toEqual([
    ['0px', '200px'],
    ['200px', '100px'],
    ['300px', '500px'],
  ])
})

test('two people in two tabs at once stand one below the other', () => {
  render(<PeopleBand axis={axisOf(60_000)} people={[part('Ana', 0, 60_000), part('Ben', 10_000, 60_000)]} />)
  const tops = screen.getAllByRole('listitem').map(({ style }) => style.top)
  expect(new Set(tops).size).toBe(2)
})

test('one person throughout needs no band', () => {
  const { container } = render(<PeopleBand axis={axisOf(60_000)} people={[part('Ana', 0, 60_000)]} />)
  expect(container.textContent).toBe('')
})
