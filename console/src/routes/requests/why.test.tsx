import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { WhyAnswer, WhyTried } from '../../lib/api/schemas.ts'

const line = (text: string, joined: 'and' | null, depth: number) => ({ text, joined, left: null, right: null, depth })
const outcome = (value: boolean | null, decides: boolean) => ({ value, left: null, right: null, decides })

const answer: WhyAnswer = {
  ...{ method: 'GET', path: '/invoices', query: 'select=id', role: 'authenticated' },
  claims: { sub: 'u1', email: 'maria@example.test', role: 'authenticated' },
  recorded: { status: 200, errorCode: null, rows: 0 },
  findings: [
    {
      code: 'column_is_null',
      title: 'customer_id is null in these rows of public.invoices.',
      detail: '“own invoices” asks for customer_id = auth.uid().',
      relation: 'public.invoices',
      sql: 'update "public"."invoices" set customer_id = \'u1\' where customer_id is null;',
    },
    { code: 'visible', title: 'The caller sees every row of public.orders.', detail: null, relation: null, sql: null },
  ],
  looks: [
    {
      ...{ schema: 'public', name: 'invoices', part: 'target', command: 'select', rowSecurity: true, isAbove: false },
      ...{ existing: 2, matching: 2, visible: 1 },
      rows: [
        { key: { id: '7' }, passes: [false] },
        { key: { id: '8' }, passes: [true] },
      ],
      gates: [
        {
          ...{ command: 'select', asks: 'stored' },
          policies: [
            {
              ...{ name: 'own invoices', permissive: true, roles: ['authenticated'], isForCaller: true, problem: null },
              clauses: [
                line('paid AND (customer_id = auth.uid())', 'and', 0),
                line('paid', null, 1),
                { ...line('customer_id = auth.uid()', null, 1), left: 'customer_id', right: 'auth.uid()' },
              ],
              rows: [
                [outcome(null, false), outcome(true, false), { ...outcome(null, true), left: null, right: 'u1' }],
                [outcome(true, false), outcome(true, false), { ...outcome(true, false), left: 'u1', right: 'u1' }],
              ],
            },
          ],
        },
      ],
    },
  ],
}

const answers: Answers = {
  ...signedIn,
  '/console/api/requests/{id}/why': { post: answer },
  '/console/api/why': { post: { ...answer, recorded: null } },
}

test('a request that was made is explained: the cause, the statement that would mend it, each row with its clause', async () => {
  openConsole('/requests/why?request=r1', answers)
  const causes = within(await screen.findByRole('list', { name: 'Explanation' })).getAllByRole('listitem')
  expect(causes[0]?.textContent).toContain('customer_id is null in these rows')
  expect(causes[0]?.textContent).toContain('update "public"."invoices"')
  expect(screen.getByText(/^answered 200/).textContent).toBe('answered 200 with 0 rows')
  expect(screen.getByText('2 rows, 1 is visible to authenticated')).toBeTruthy()
  const rows = within(screen.getByRole('table', { name: 'Rows' })).getAllByRole('row')
  expect(rows[1]?.textContent).toBe('7nocustomer_id = auth.uid() is unknown: customer_id is null, auth.uid() is u1')
  expect(rows[2]?.textContent).toBe('8yes')
  const policy = within(screen.getByRole('article', { name: 'Policy own invoices' }))
  expect(policy.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'all oftrue of 1 of 2',
    'paidtrue of 2 of 2',
    'customer_id = auth.uid()true of 1 of 2',
  ])
})

test('a question is asked as a user, and stands in the address', async () => {
  const { at, asked } = openConsole('/requests/why', answers)
  await screen.findByText('Ask why a request answers what it answers.')
  await userEvent.type(screen.getByRole('textbox', { name: 'Address behind /rest/v1/' }), 'invoices?status=eq.open')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Caller' }), 'user')
  await userEvent.type(screen.getByRole('textbox', { name: /^User/ }), 'maria@example.test')
  expect(asked.filter((one) => one.includes('why'))).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
  await screen.findByRole('list', { name: 'Explanation' })
  expect(asked.filter((one) => one.includes('why'))).toEqual(['POST /why'])
  expect(at()).toBe('/requests/why?method=GET&path=invoices&as=user&query=status%3Deq.open&user=maria%40example.test')
})

test('one who may not see rows is told so', async () => {
  openConsole('/requests/why?request=r1', {
    ...answers,
    '/console/api/requests/{id}/why': {
      post: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.', 'Ask an owner.'),
    },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})

test('SQL that would change it is tried from the screen, and its answer stands below it', async () => {
  const sent: unknown[] = []
  const tried: WhyTried[] = [
    { rows: 2, body: '[{"id":7},{"id":8}]', isCut: false, problem: null },
    { rows: null, body: null, isCut: false, problem: { code: '42501', message: 'permission denied', of: 'request' } },
  ]
  openConsole('/requests/why?request=r1', {
    ...answers,
    '/console/api/requests/{id}/why/try': {
      post: async (request) => {
        sent.push(await request.json())
        return Response.json(tried[sent.length - 1])
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Try' }))
  expect((await screen.findByText('With it the request is answered 2 rows.')).closest('[role=status]')).toBeTruthy()
  expect(sent).toEqual([{ sql: answer.findings[0]?.sql }])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText(/With it the request is refused/)
})
