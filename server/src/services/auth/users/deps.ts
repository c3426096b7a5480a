import type { Hooks } from '../hooks/hooks.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Database } from '../store/database.ts'
import type { UserSettings } from './settings.ts'

/** The dependencies of the creation and finding of users. */
export interface UsersDeps extends Pick<Sessions, 'checkAdmin'> {
  readonly database: Database
  readonly hooks: Pick<Hooks, 'beforeUserCreated' | 'afterUserCreated'>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: UserSettings & { readonly jwtAdminRoles: readonly string[] }
}
