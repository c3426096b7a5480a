declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which access tokens of operators open the route, besides the console's session: the command line's, or agents'. */
    readonly acceptsTokens?: boolean | 'agent'
  }
}

/** A request of the console's API, behind its guard. */
export interface ConsoleRequest {
  /** Absent for a Unix socket. */
  readonly ip: string | undefined
  readonly headers: { readonly 'user-agent'?: string | undefined; readonly cookie?: string | undefined }
  getDecorator<T>(name: string): T
}

/** The e-mail address of the operator who made a request; empty where there is none. */
export const operatorOf = (request: ConsoleRequest): string =>
  request.getDecorator<{ readonly email: string } | null>('operator')?.email ?? ''

/**
 * What an operator may do: see that a thing is there and how it fares; read the application's data in it; change it;
 * read secrets; change what users of the application may do; decide what is kept of people;
 * choose who the operators are; run SQL of their own, which reads all of the database and of analytics, and writes for
 * those who may change data.
 */
export type OperatorRight = 'look' | 'read data' | 'change' | 'reveal' | 'grant' | 'protect' | 'manage team' | 'query'

/** An action of an operator, as the audit log names it. */
export interface OperatorAction {
  /** `job.run`: the kind of thing, and what is done to it. */
  readonly name: string
  /** What it is done to, in words that stay readable when the thing is gone. */
  readonly target: string
  /** `change` when absent; null for what every operator does with what is their own. */
  readonly right?: OperatorRight | null
  /** Whether the operator must have confirmed their identity lately. */
  readonly needsProof?: boolean
  /** Ids of the persons and users that it is about. */
  readonly about?: readonly (string | null)[]
}

/** What an operator looked at, as the audit log names it. */
export type OperatorLook = Pick<OperatorAction, 'name' | 'target' | 'about'>

/** What a request of the console was made for. */
export interface RequestAction {
  /** Of the entry in the audit log. */
  readonly id: string
  /** E-mail address. */
  readonly operator: string
  readonly action: string
}

/** Checks what operators may do, and records what they do. */
export interface OperatorActions {
  /** @throws CLEW_OPERATORS_FORBIDDEN unless the request's operator has the right */
  check(request: ConsoleRequest, right: OperatorRight): void
  /** Whether the request's operator has the right. */
  may(request: ConsoleRequest, right: OperatorRight): boolean
  /** Records that the request's operator is shown something; repeated within some minutes it is one look. */
  look(request: ConsoleRequest, look: OperatorLook): Promise<void>
  /**
   * Records an action before it is performed, and its outcome after.
   *
   * @throws CLEW_OPERATORS_FORBIDDEN, CLEW_OPERATORS_PROOF_NEEDED, and what `perform` throws
   */
  run<T>(request: ConsoleRequest, action: OperatorAction, perform: () => Promise<T>): Promise<T>
}
