import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { messageOf } from '../../../ground/errors/message.ts'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Alerts, AlertsState } from '../alerts.ts'
import { isFiring } from '../decide.ts'
import { alertsError } from '../errors.ts'
import { titles } from '../message.ts'
import { type Rule, ruleIds } from '../rules.ts'
import type { AlertsSettings } from '../settings.ts'

const tags = ['alerts']
const units = ['percent', 'ms', 'bytes', 'days', 'hours', 'runs', 'down'] as const satisfies readonly Rule['unit'][]
const RuleName = Type.Enum([...ruleIds])
const Unit = Type.Enum([...units])
const Value = Nullable(Type.Number(), { description: 'Null where it is endless' })

const AlertRule = Type.Object(
  {
    id: RuleName,
    title: Type.String({ description: 'In the words of its bad state' }),
    unit: Unit,
    bad: Type.Union([Type.Literal('above'), Type.Literal('below')]),
    begins: Type.Number({ description: 'The value from which on it is bad' }),
    forSeconds: Type.Number({ description: 'How long it is bad before the alert begins' }),
    states: Type.Array(
      Type.Object({
        subject: Type.String({ description: 'What it is about; empty where there is but one' }),
        isFiring: Type.Boolean(),
        beganAt: Nullable(Instant),
        value: Value,
        detail: Nullable(Type.String()),
      }),
    ),
  },
  { $id: 'AlertRule' },
)

const AlertNotice = Type.Object(
  {
    id: Type.String(),
    rule: RuleName,
    title: Type.String(),
    subject: Type.String(),
    kind: Type.Union([Type.Literal('fired'), Type.Literal('still'), Type.Literal('resolved')]),
    unit: Nullable(Unit, { description: 'Null where the rule is not there any more' }),
    value: Value,
    detail: Nullable(Type.String()),
    at: Instant,
    sentAt: Nullable(Instant),
    problem: Nullable(Type.String({ description: 'Why it could not be sent' })),
  },
  { $id: 'AlertNotice' },
)

const listRoute = {
  operationId: 'alerts',
  tags,
  summary: 'What is watched, how it is, and what the team was told, newest first',
  response: {
    200: Type.Object(
      {
        rules: Type.Array(AlertRule),
        notices: Type.Array(AlertNotice),
        mails: Type.Integer({ description: 'How many addresses are mailed' }),
        hasWebhook: Type.Boolean(),
      },
      { $id: 'AlertsAnswer' },
    ),
  },
}
const testRoute = {
  operationId: 'testAlerts',
  tags,
  summary: 'Send a test to all who are told of alerts',
  response: { 204: Type.Null() },
}

/** Alerts in the console: all but viewers see them; owners and developers send a test. */
export function alertRoutes(
  alerts: Alerts,
  settings: Pick<AlertsSettings, 'mails' | 'webhookUrl'>,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  const { mails } = settings
  const hasWebhook = (): boolean => settings.webhookUrl !== null
  return async (app) => {
    app.get('/alerts', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      return { ...renderAlerts(await alerts.state()), mails: mails.length, hasWebhook: hasWebhook() }
    })

    app.post('/alerts/test', { schema: testRoute }, async (request, reply) => {
      await actions.run(request, { name: 'alerts.test', target: 'the instance' }, async () => {
        if (mails.length === 0 && !hasWebhook()) throw alertsError('CLEW_ALERTS_NO_RECEIVER')
        await alerts.sendTest().catch((cause: unknown) => {
          throw alertsError('CLEW_ALERTS_NOT_SENT', { details: messageOf(cause), cause })
        })
      })
      return reply.code(204).send(null)
    })
  }
}

function renderAlerts({ rules, states, notices }: AlertsState) {
  const unitOf = new Map(rules.map(({ id, unit }) => [id, unit]))
  return {
    rules: rules.map(({ id, unit, bad, begins, forMs }) => ({
      ...{ id, unit, bad, begins, title: titles[id], forSeconds: forMs / 1000 },
      states: states
        .filter(({ rule }) => rule === id)
        .map(({ subject, state }) => ({
          ...{ subject, isFiring: isFiring(state), value: state.value, detail: state.detail },
          beganAt: state.beganMs === null ? null : new Date(state.beganMs).toISOString(),
        })),
    })),
    notices: notices.map(({ id, rule, subject, kind, value, detail, at, sentAt, problem }) => ({
      ...{ id, rule, subject, kind, value, detail, problem, title: titles[rule] },
      unit: unitOf.get(rule) ?? null,
      at: at.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
  }
}
