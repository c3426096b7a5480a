/** Lines of a dump of definitions that are changed, as the Supabase CLI changes them: what is there already is kept. */
const replacements: readonly (readonly [line: RegExp, by: string])[] = [
  [/^CREATE SCHEMA "/, 'CREATE SCHEMA IF NOT EXISTS "'],
  [/^CREATE TABLE "/, 'CREATE TABLE IF NOT EXISTS "'],
  [/^CREATE SEQUENCE "/, 'CREATE SEQUENCE IF NOT EXISTS "'],
  [/^CREATE VIEW "/, 'CREATE OR REPLACE VIEW "'],
  [/^CREATE FUNCTION "/, 'CREATE OR REPLACE FUNCTION "'],
  [/^CREATE TRIGGER "/, 'CREATE OR REPLACE TRIGGER "'],
]

/** Lines that only a superuser may run, or that speak of what every project has. */
const leftOut: readonly RegExp[] = [
  /^CREATE PUBLICATION "(?:supabase_realtime|clew")/,
  /^ALTER PUBLICATION "(?:supabase_realtime_|clew")/,
  /^(?:CREATE|ALTER) EVENT TRIGGER /,
  /^ {9}WHEN TAG IN /,
  /^ {3}EXECUTE FUNCTION /,
  /^ALTER FOREIGN DATA WRAPPER .+ OWNER TO /,
  /^ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin"/,
  /^GRANT ALL ON FOREIGN DATA WRAPPER .+ TO "postgres" WITH GRANT OPTION/,
  /^COMMENT ON EXTENSION /,
  /^SET transaction_timeout = 0;/,
]

/**
 * The definitions of a dump as the Supabase CLI writes them.
 *
 * @param keepComments whether lines of comments stay
 */
export const renderSchemaDump = (text: string, keepComments: boolean): string =>
  text
    .split('\n')
    .flatMap((line) => {
      if (leftOut.some((pattern) => pattern.test(line))) return keepComments ? [`-- ${line}`] : []
      if (line.startsWith('--') && !keepComments) return []
      return [replacements.reduce((changed, [pattern, by]) => changed.replace(pattern, by), line)]
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')

/** The rows of a dump: triggers do not run, and foreign keys are not looked at, while they are loaded. */
export const renderDataDump = (text: string): string => `SET session_replication_role = replica;\n\n${text}RESET ALL;\n`
