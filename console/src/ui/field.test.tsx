import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Field, Filter, Select } from './field.tsx'

test('a field is found by its label and described by its hint', () => {
  render(<Field label="Password" hint="At least 10 characters." type="password" />)
  const input = screen.getByLabelText('Password')
  expect(input.getAttribute('aria-invalid')).toBeNull()
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'At least 10 characters.',
  )
})

test('a problem takes the place of the hint and marks the field', () => {
  render(<Field label="Password" hint="At least 10 characters." problem="Too short." />)
  const input = screen.getByRole('textbox', { name: 'Password' })
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Too short.')
  expect(screen.queryByText('At least 10 characters.')).toBeNull()
})

test('a select tells the value that was chosen', async () => {
  const onChange = vi.fn()
  const options = ['GET', 'POST'].map((value) => ({ value, label: value }))
  render(<Select label="Method" value="GET" options={options} onChange={onChange} />)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Method' }), 'POST')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('POST')
})

function Filtered() {
  const [value, setValue] = useState('')
  return <Filter label="Filter" value={value} onChange={setValue} />
}

test('a slash focuses the filter, Esc clears it and then leaves it', async () => {
  render(<Filtered />)
  const input = screen.getByRole('searchbox', { name: 'Filter' })
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(input)
  await userEvent.keyboard('or/ders')
  expect(input).toHaveProperty('value', 'or/ders')
  await userEvent.keyboard('{Escape}')
  expect(input).toHaveProperty('value', '')
  expect(document.activeElement).toBe(input)
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).not.toBe(input)
})

test('a filter with text has a button that clears it', async () => {
  render(<Filtered />)
  expect(screen.queryByRole('button', { name: 'Clear the filter' })).toBeNull()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter' }), 'x')
  await userEvent.click(screen.getByRole('button', { name: 'Clear the filter' }))
  expect(screen.getByRole('searchbox', { name: 'Filter' })).toHaveProperty('value', '')
})
