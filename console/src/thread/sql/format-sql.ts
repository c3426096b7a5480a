import { queryOptions } from '@tanstack/react-query'

/** SQL on lines as people write it; as it is where it cannot be read. The formatter is loaded with the first statement. */
export const formattedSql = (text: string) =>
  queryOptions({
    queryKey: ['formatted sql', text],
    queryFn: async () => {
      const { formatDialect, postgresql } = await import('sql-formatter')
      try {
        return formatDialect(text, {
          dialect: postgresql,
          keywordCase: 'lower',
          functionCase: 'preserve',
          expressionWidth: 60,
          // `$1.stock`: the member of a body that is one parameter.
          paramTypes: { numbered: ['$'], custom: [{ regex: String.raw`\$\d+\.(?:\w+|"[^"]*")` }] },
        })
      } catch {
        return text
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
