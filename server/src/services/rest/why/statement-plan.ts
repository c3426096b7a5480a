import { isDatabaseError, type Session, type Sql } from '../../../engines/postgres/index.ts'
import { type ClaimedUser, claimsOfUser, selectClaimedUser } from '../../../ground/jwt/user-claims.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql as fragment } from '../../../ground/sql/sql.ts'
import { whyError } from '../errors.ts'
import type { Problem } from './look.ts'

/** A statement as the thread kept it: without its values. */
export interface KeptStatement {
  readonly text: string
  readonly role: string
  readonly userId: string | null
}

/** What the planner of statements needs. */
export interface StatementPlanDeps {
  readonly session: Session
  /** Finds users. */
  readonly sql: Pick<Sql, 'query'>
  /**
   * A statement of a request by its place, from 0; undefined where there is none.
   *
   * @throws for a request that is not kept
   */
  readonly findStatement: (requestId: string, place: number) => Promise<KeptStatement | undefined>
}

/** How PostgreSQL would run a statement now. */
export interface StatementPlan {
  /** JSON of `explain (format json)`; null where PostgreSQL refuses. */
  readonly plan: string | null
  readonly problem: Problem | null
  readonly role: string
}

// The protocol binds the statement's own parameters to values, which a plan for any values has not: here they are bound to none.
const explain = compile(fragment`
  do $clew$
  declare found json;
  begin
    execute 'explain (generic_plan, format json) ' || pg_catalog.current_setting('clew.statement') into found;
    perform pg_catalog.set_config('clew.plan', found::text, true);
  end $clew$`)

/**
 * Plans statements as the role and the user of their request, for any values: nothing is run, in a transaction that
 * only reads and is rolled back. PostgreSQL knows plans for any values from version 16 on.
 */
export const createStatementPlan =
  ({ session, sql, findStatement }: StatementPlanDeps) =>
  async (requestId: string, place: number): Promise<StatementPlan> => {
    const kept = await findStatement(requestId, place)
    if (kept === undefined) throw whyError('CLEW_WHY_STATEMENT_NOT_FOUND')
    const { text, role, userId } = kept
    const user = userId === null ? [] : (await sql.query<ClaimedUser>(selectClaimedUser(userId))).rows
    const claims = { ...(user[0] === undefined ? {} : claimsOfUser(user[0])), role }
    try {
      const { settings } = await session.run({
        role,
        settings: [['search_path', 'public, extensions']],
        roleSettings: [
          ['request.jwt.claims', JSON.stringify(claims)],
          ['clew.statement', text],
        ],
        ...{
          statement: explain,
          readBack: ['clew.plan'],
          readOnly: true,
          attribute: false,
          end: 'rollback',
          context: null,
        },
      })
      return { plan: settings[0] ?? null, problem: null, role }
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      return { plan: null, problem: { code: error.code, message: error.message }, role }
    }
  }
