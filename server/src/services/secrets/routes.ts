import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'
import { madeSecretNames } from '../../ground/jwt/rotation.ts'
import { operatorOf } from '../../ground/model/operator-actions.ts'
import { type SecretsDeps, secretSources } from './deps.ts'
import { secretsError } from './errors.ts'

const tags = ['secrets']
const MadeName = Type.Enum([...madeSecretNames])
const reloaded = 'secret.reload'
const rotated = 'secret.rotate'

const SecretsAnswer = Type.Object(
  {
    configured: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As `clew.toml` spells it' }),
        source: Type.Enum([...secretSources]),
        from: Type.String({ description: 'The variable, or the place in a file' }),
        lastTakenAt: Nullable(Instant, {
          description: 'When a running process took another value, as the audit log knows',
        }),
      }),
    ),
    made: Type.Array(
      Type.Object({
        name: MadeName,
        lastRotatedAt: Nullable(Instant, { description: 'As the audit log knows' }),
        pinned: Nullable(Type.String(), { description: 'Why it is not rotated here; null where it is' }),
      }),
    ),
    ingestToken: Type.String({ description: 'Public: it stands in every page' }),
    earlierIngestTokens: Type.Array(Type.Object({ id: Type.String(), replacedAt: Instant })),
  },
  { $id: 'InstanceSecrets' },
)

const ReloadAnswer = Type.Object(
  {
    secrets: Type.Array(
      Type.Object({
        name: Type.String(),
        outcome: Type.Enum(['taken', 'refused', 'needs a start']),
        problem: Nullable(Type.String()),
      }),
    ),
    problems: Type.Array(Type.String(), {
      description: 'Settings that are wrong: while there is one, every secret stays',
    }),
    others: Type.Array(Type.String(), {
      description: 'Other settings that changed: they count from the next start on',
    }),
  },
  { $id: 'SecretReload' },
)

/** The instance's own secrets, never their values: owners and developers see them, owners renew them with a recent proof. */
export function secretsRoutes(deps: SecretsDeps): FastifyPluginAsyncTypebox {
  const { rotation, actions } = deps
  return async (app) => {
    const list = {
      operationId: 'instanceSecrets',
      tags,
      summary: 'Where the instance’s own secrets come from, and when each was renewed',
      response: { 200: SecretsAnswer },
    }
    app.get('/secrets', { schema: list }, async (request) => {
      actions.check(request, 'read data')
      return listSecrets(deps)
    })

    const reload = {
      operationId: 'reloadSecrets',
      tags,
      summary: 'Read the secrets of the settings again, in every process',
      response: { 200: ReloadAnswer },
    }
    app.post('/secrets/reload', { schema: reload }, async (request) => {
      const action = { name: 'secrets.reload', target: 'settings', right: 'protect', needsProof: true } as const
      const { secrets, problems, others } = await actions.run(request, action, () => deps.reload(operatorOf(request)))
      return { secrets: [...secrets], problems: [...problems], others: [...others] }
    })

    const rotate = {
      operationId: 'rotateSecret',
      tags,
      summary: 'Make a secret of the data directory anew',
      body: Type.Object({ name: MadeName }),
      response: { 204: Type.Null() },
    }
    app.post('/secrets/rotation', { schema: rotate }, async (request, reply) => {
      const { name } = request.body
      await actions.run(request, { name: rotated, target: name, right: 'protect', needsProof: true }, async () => {
        const pinned = rotation.pinnedSecret(name)
        if (pinned !== null) throw secretsError('CLEW_SECRETS_PINNED', { message: pinned })
        await rotation.secret(name)
      })
      return reply.code(204).send(null)
    })

    const revoke = {
      operationId: 'revokeIngestToken',
      tags,
      summary: 'Accept an earlier ingest token no more',
      params: Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{16}$' }) }),
      response: { 204: Type.Null() },
    }
    app.delete('/secrets/ingest-tokens/:id', { schema: revoke }, async (request, reply) => {
      const { id } = request.params
      const action = {
        name: 'secret.revoke',
        target: `ingest token ${id}`,
        right: 'protect',
        needsProof: true,
      } as const
      await actions.run(request, action, async () => {
        const isThere = (await rotation.earlierIngestTokens()).some((token) => token.id === id)
        if (!isThere || !(await rotation.revoke(id))) throw secretsError('CLEW_SECRETS_NOT_FOUND')
      })
      return reply.code(204).send(null)
    })
  }
}

async function listSecrets({ configured, rotation, ingestToken, lastDone }: SecretsDeps) {
  const [taken, made] = await Promise.all([lastDone(reloaded), lastDone(rotated)])
  return {
    configured: configured().map((secret) => ({
      ...secret,
      lastTakenAt: taken.get(secret.name)?.toISOString() ?? null,
    })),
    made: madeSecretNames.map((name) => ({
      ...{ name, pinned: rotation.pinnedSecret(name) },
      lastRotatedAt: made.get(name)?.toISOString() ?? null,
    })),
    ingestToken: ingestToken(),
    earlierIngestTokens: (await rotation.earlierIngestTokens()).map(({ id, replacedAt }) => ({
      id,
      replacedAt: replacedAt.toISOString(),
    })),
  }
}
