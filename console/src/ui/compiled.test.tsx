import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'

let drawn = 0

function Quiet({ label }: { readonly label: string }) {
  drawn += 1
  return <p>{label}</p>
}

function Counting({ label }: { readonly label: string }) {
  const [count, setCount] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <Quiet label={label} />
    </>
  )
}

test('components are compiled: what does not depend on a change is not drawn again', async () => {
  render(<Counting label="still" />)
  const before = drawn
  await userEvent.click(screen.getByRole('button', { name: '0' }))
  expect(screen.getByRole('button', { name: '1' })).toBeTruthy()
  expect(drawn).toBe(before)
})
