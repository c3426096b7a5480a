import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import { SettingForm } from '../../../ground/settings/form.ts'
import type { CaptureRules } from './capture-rules.ts'
import { settingGroups, settingParts } from './groups.ts'

const tags = ['capture']
const actionOf = (name: string) => (name.startsWith('record_') ? 'recording.setting' : 'capture.setting')
/** Of a value in the audit log. */
const auditedCharacters = 400

const CaptureSetting = Type.Object(
  {
    name: Type.String({ description: 'As `clew.toml` spells it, in `[analytics]`' }),
    environment: Type.String(),
    part: Type.Enum([...settingParts]),
    group: Type.Enum([...settingGroups]),
    title: Type.String(),
    description: Type.String(),
    costs: Nullable(Type.String(), {
      description: 'What it costs a page and the store; null where that is next to nothing',
    }),
    value: Type.String({ description: 'What holds now, as JSON' }),
    default: Type.String({ description: 'As JSON' }),
    unit: Nullable(Type.String(), { description: 'Of a number' }),
    pinned: Nullable(Type.String(), {
      description: 'Where the environment or a file says it, and where alone it is changed; null where neither does',
    }),
    changed: Nullable(Type.Object({ at: Instant, by: Type.String({ description: 'E-mail address' }) }), {
      description: 'Who said it in the console; null where it is not from there',
    }),
    form: SettingForm,
  },
  { $id: 'CaptureSetting' },
)

const listRoute = {
  operationId: 'captureSettings',
  tags,
  summary: 'What browsers send, and where it is said',
  response: { 200: Type.Object({ settings: Type.Array(CaptureSetting) }) },
}
const changeRoute = {
  operationId: 'changeCaptureSetting',
  tags,
  summary: 'Change what browsers send; the next one that asks is told',
  params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  body: Type.Object({
    value: Nullable(Type.String({ minLength: 1, maxLength: 20_000 }), {
      description: 'As the environment would have it; null for the default',
    }),
    replaces: Nullable(Instant, {
      description: 'When what it replaces was said in the console; null where it was not',
    }),
  }),
  response: { 204: Type.Null() },
}

/** What browsers send: who may look sees it, owners change it. */
export function captureSettingRoutes(rules: CaptureRules, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/capture-settings', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      const settings = await rules.list()
      return {
        settings: settings.map(({ changed, ...setting }) => ({
          ...setting,
          changed: changed && { at: changed.at.toISOString(), by: changed.by },
        })),
      }
    })

    app.put('/capture-settings/:name', { schema: changeRoute }, async (request, reply) => {
      const { name } = request.params
      const { value, replaces } = request.body
      // As JSON, for what PostgreSQL has no text of.
      const said = value === null ? 'the default' : JSON.stringify(value).slice(0, auditedCharacters)
      const action = { name: actionOf(name), target: `${name}: ${said}`, right: 'protect' } as const
      const change = { text: value, replaces: replaces === null ? null : new Date(replaces) }
      await actions.run(request, action, () => rules.change(name, change, operatorOf(request)))
      return reply.code(204).send(null)
    })
  }
}

/** The rules of capture in the console. */
export const captureRulesService = (rules: CaptureRules, actions: OperatorActions) => ({
  console: [captureSettingRoutes(rules, actions)],
  close: rules.close,
})
