import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { storageError } from '../errors.ts'
import { renderTemplates } from './policy-templates.ts'
import type { PolicyTemplate, StoragePolicy } from './schemas.ts'
import { dropPolicyStatement, selectPoliciesStatement } from './store.ts'

/** The policies of `storage.objects` and `storage.buckets`. */
export interface Policies {
  list(): Promise<StoragePolicy[]>
  templates(bucketId: string): readonly PolicyTemplate[]
  /** Runs the SQL of a template. @throws InvalidParameter, ResourceAlreadyExists */
  apply(templateId: string, bucketId: string): Promise<void>
  /** @throws NoSuchKey */
  drop(table: StoragePolicy['table'], name: string): Promise<void>
}

/** @param owner runs statements as the application’s owner */
export function createPolicies(owner: Pick<Sql, 'query'>): Policies {
  return {
    async list() {
      const { rows } = await owner.query<{ body: string }>(selectPoliciesStatement())
      // The database's own JSON.
      return JSON.parse(rows[0]?.body ?? '[]') as StoragePolicy[]
    },
    templates: renderTemplates,
    async apply(templateId, bucketId) {
      const template = renderTemplates(bucketId).find(({ id }) => id === templateId)
      if (template === undefined)
        throw storageError('InvalidParameter', { message: `There is no template ${templateId}.` })
      await owner.query({ text: template.sql, values: [] }).catch((cause: unknown) => {
        // duplicate_object
        if (isDatabaseError(cause) && cause.code === '42710')
          throw storageError('ResourceAlreadyExists', { message: 'The bucket has a policy of this name.', cause })
        throw cause
      })
    },
    async drop(table, name) {
      await owner.query(dropPolicyStatement(table, name)).catch((cause: unknown) => {
        // undefined_object
        if (isDatabaseError(cause) && cause.code === '42704')
          throw storageError('NoSuchKey', { message: 'There is no such policy.', cause })
        throw cause
      })
    },
  }
}
