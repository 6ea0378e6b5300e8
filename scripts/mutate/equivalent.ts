/**
 * Mutants that change nothing a caller could see, by file and by the text of the line, each with the reason. A mutant that
 * no test notices and that does not stand here is a test that is missing.
 */
export const equivalent: readonly { readonly source: string; readonly line: string; readonly why: string }[] = [];
