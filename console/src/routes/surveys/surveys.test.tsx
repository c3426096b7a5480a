import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Survey } from '../../lib/api/schemas.ts'

const id = '01a20a79-9e17-7b33-bd7e-b7850e43ad34'
const survey: Survey = {
  ...{ id, name: 'After the order', description: '', type: 'popover', state: 'draft', version: 3 },
  questions: [{ type: 'single_choice', id: 'why', question: 'Why?', choices: ['Price', 'Taste'] }],
  ...{ appearance: {}, conditions: { selector: '#menu' }, linkedFlagKey: null, schedule: 'once' },
  ...{ partialResponses: true, startDate: null, endDate: null, updatedAt: '2026-01-01T03:04:05.000Z' },
  updatedBy: 'ana@example.com',
}
const sent: unknown[] = []
const answers: Answers = {
  ...signedIn,
  '/console/api/surveys': { get: { surveys: [survey] }, post: { ...survey, name: 'Untitled survey' } },
  '/console/api/surveys/{id}': {
    get: survey,
    put: async (request) => {
      sent.push(await request.json())
      return Response.json({ ...survey, version: 4 })
    },
    delete: null,
  },
  '/console/api/event-names': {
    get: {
      names: [
        { name: 'ordered', count: 9 },
        { name: 'paid', count: 4 },
      ],
    },
  },
  '/console/api/flags': {
    get: {
      flags: [
        {
          ...{ key: 'new-checkout', description: '', active: true, conditions: 0, rollout: null, isTargeted: false },
          ...{ variants: [], updatedAt: '2026-01-01T03:04:05.000Z', updatedBy: 'ana@example.com' },
        },
      ],
    },
  },
  '/console/api/surveys/{id}/running': { put: { ...survey, state: 'running', version: 4 } },
  '/console/api/surveys/{id}/results': {
    get: {
      ...{ shown: 10, answered: 4, dismissed: 2, counted: 4 },
      questions: [
        {
          ...{ id: 'why', question: 'Why?', type: 'single_choice', texts: [], nps: null },
          counts: [
            { value: 'Taste', count: 3 },
            { value: 'Price', count: 1 },
          ],
        },
        {
          ...{ id: 'taste', question: 'How was it?', type: 'rating', texts: [], nps: null },
          counts: [
            { value: '2', count: 1 },
            { value: '4', count: 3 },
          ],
        },
        {
          ...{ id: 'more', question: 'Anything else?', type: 'open', counts: [], nps: null },
          texts: [{ text: 'More cake', distinctId: 'ada', sessionId: 's1', at: '2026-01-01T03:04:05.000Z' }],
        },
      ],
    },
  },
}

test('surveys are listed with their state; a new one opens as a draft', async () => {
  const { at } = openConsole('/surveys', answers)
  const table = within(await screen.findByRole('table', { name: 'Surveys' }))
  expect(table.getByRole('link', { name: /After the order/ })).toBeTruthy()
  expect(table.getByText('draft')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'New survey' }))
  await expect.poll(at).toBe(`/surveys/${id}`)
})

test('questions are changed as a draft and saved as the version that was read, with what the form does not show', async () => {
  openConsole(`/surveys/${id}`, answers)
  const first = within(await screen.findByRole('region', { name: 'Question 1' }))
  const choices = first.getByRole('textbox', { name: 'Choices, one a line' })
  await userEvent.type(choices, '{Enter}Place{Enter} ')
  await userEvent.click(screen.getByRole('button', { name: 'Add a question' }))
  const second = within(screen.getByRole('region', { name: 'Question 2' }))
  await userEvent.selectOptions(second.getByRole('combobox', { name: 'Answered by' }), 'rating')
  await userEvent.type(second.getByRole('textbox', { name: 'Question' }), 'How likely?')
  await userEvent.type(screen.getByRole('combobox', { name: 'After the event' }), 'ordered')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved.')
  expect(sent.splice(0)).toEqual([
    {
      version: 3,
      survey: expect.objectContaining({
        questions: [
          { ...survey.questions[0], choices: ['Price', 'Taste', 'Place'] },
          expect.objectContaining({ type: 'rating', question: 'How likely?', scale: 10, display: 'number' }),
        ],
        conditions: { selector: '#menu', events: { values: [{ name: 'ordered' }] } },
      }),
    },
  ])
})

test('a question leads to a later one or to the end, by its answer where it has choices', async () => {
  const questions = ['Why?', 'Which?', 'How?', 'When?'].map((question, index): Survey['questions'][number] => ({
    ...{ type: 'single_choice', id: `q${index}`, question, choices: ['Price', ' ', 'Taste'] },
  }))
  const stored = { ...survey, questions }
  openConsole(`/surveys/${id}`, {
    ...answers,
    '/console/api/surveys/{id}': {
      get: stored,
      put: async (request) => {
        sent.push(await request.json())
        return Response.json({ ...stored, version: 4 })
      },
    },
  })
  const question = async (number: number) => within(await screen.findByRole('region', { name: `Question ${number}` }))
  const [first, second, third, last] = await Promise.all([1, 2, 3, 4].map(question))
  expect(last?.queryByRole('combobox', { name: 'Then' })).toBeNull()
  const choose = async (box: HTMLElement | undefined, label: string) => {
    expect(box).toBeDefined()
    if (box !== undefined) await userEvent.selectOptions(box, label)
  }
  const then = (of: typeof first) => of?.getByRole('combobox', { name: 'Then' })
  await choose(then(first), 'by the answer')
  await choose(first?.getByRole('combobox', { name: 'After Price' }), '4. When?')
  await choose(first?.getByRole('combobox', { name: 'After Taste' }), 'the end')
  await choose(then(second), '4. When?')
  await choose(then(third), 'the end')
  await userEvent.click(third?.getByRole('button', { name: 'Remove' }) ?? document.body)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved.')
  expect(sent.pop()).toMatchObject({
    survey: {
      questions: [
        {
          choices: ['Price', 'Taste'],
          branching: { type: 'response_based', responseValues: { '0': 2, '1': 'end' } },
        },
        { branching: { type: 'specific_question', index: 2 } },
        { question: 'When?' },
      ],
    },
  })
})

test('what is drafted of a survey outlives a look at its answers', async () => {
  openConsole(`/surveys/${id}`, answers)
  const thanks = () => screen.findByRole('textbox', { name: 'Thank you' })
  await userEvent.type(await thanks(), 'Come again')
  await userEvent.click(screen.getByRole('tab', { name: 'Answers' }))
  await screen.findByRole('region', { name: 'Why?' })
  await userEvent.click(screen.getByRole('tab', { name: 'Questions' }))
  expect(await thanks()).toHaveProperty('value', 'Come again')
})

test('events and flags that there are are offered for the conditions of a survey', async () => {
  openConsole(`/surveys/${id}`, answers)
  const offeredFor = (name: string) => {
    const input = screen.getByRole('combobox', { name })
    return input instanceof HTMLInputElement ? [...(input.list?.options ?? [])].map(({ value }) => value) : []
  }
  await screen.findByRole('region', { name: 'Question 1' })
  await expect.poll(() => offeredFor('After the event')).toEqual(['ordered', 'paid'])
  await expect.poll(() => offeredFor('For whom this flag is on')).toEqual(['new-checkout'])
})

test('a survey is begun, and archived after a question', async () => {
  const { at, asked } = openConsole(`/surveys/${id}`, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Begin' }))
  await screen.findByRole('button', { name: 'End' })
  await userEvent.click(screen.getByRole('button', { name: 'Archive' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Archive the survey' }))
  await expect.poll(() => asked).toContain(`DELETE /surveys/${id}`)
  await expect.poll(at).toBe('/surveys')
})

test('answers are counted by choice, and texts say whose they are', async () => {
  openConsole(`/surveys/${id}?tab=answers`, answers)
  const why = within(await screen.findByRole('region', { name: 'Why?' }))
  expect(why.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Taste3 75 %', 'Price1 25 %'])
  const more = within(screen.getByRole('region', { name: 'Anything else?' }))
  expect(more.getByText('More cake')).toBeTruthy()
  expect(more.getByRole('link', { name: 'ada' }).getAttribute('href')).toBe('/console/people?q=ada')
  expect(more.getByRole('link', { name: 'the session at that moment' }).getAttribute('href')).toContain(
    '/console/sessions/s1?at=',
  )
  const taste = within(screen.getByRole('region', { name: 'How was it?' }))
  expect(taste.getByText('Average').textContent).toBe('Average 3.5')
})

test('texts are saved as CSV, with whose they are and when', async () => {
  const saved: Blob[] = []
  class SavingUrl extends URL {
    static override createObjectURL(blob: Blob): string {
      saved.push(blob)
      return 'blob:texts'
    }
    static override revokeObjectURL(): void {}
  }
  const names: string[] = []
  vi.stubGlobal('URL', SavingUrl)
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    click.mockRestore()
  })
  openConsole(`/surveys/${id}?tab=answers`, answers)
  const more = within(await screen.findByRole('region', { name: 'Anything else?' }))
  await userEvent.click(more.getByRole('button', { name: 'Save these texts as CSV' }))
  const reader = new FileReader()
  reader.readAsText(saved[0] ?? new Blob())
  await expect.poll(() => reader.result).toBe('at,distinct_id,text\r\n2026-01-01T03:04:05.000Z,ada,More cake\r\n')
  expect(names).toEqual(['Anything else.csv'])
  const why = within(screen.getByRole('region', { name: 'Why?' }))
  expect(why.queryByRole('button', { name: 'Save these texts as CSV' })).toBeNull()
})

test('without a survey the page says what one is; an analyst changes nothing; refusals say why', async () => {
  const empty = openConsole('/surveys', { ...signedIn, '/console/api/surveys': { get: { surveys: [] } } })
  await screen.findByRole('heading', { name: 'No surveys yet.' })
  empty.close()
  const role = { '/console/api/session': { get: { operator: { ...operator, role: 'analyst' as const } } } }
  const look = openConsole(`/surveys/${id}`, { ...answers, ...role })
  await screen.findByRole('region', { name: 'Question 1' })
  for (const name of ['Save', 'Begin', 'Archive']) expect(screen.queryByRole('button', { name })).toBeNull()
  look.close()
  const changed = openConsole(`/surveys/${id}`, {
    ...answers,
    '/console/api/surveys/{id}': { get: survey, put: refuse(409, 'CLEW_SURVEYS_CHANGED', 'It was changed meanwhile.') },
  })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toContain('It was changed meanwhile.')
  changed.close()
  openConsole('/surveys', {
    ...signedIn,
    '/console/api/surveys': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'No.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('No.')
})
