/*
 * recognizer: an LL parser that interprets the grammar's table and makes a parse tree.
 *
 * It works as a parser that ANTLR generated, but its stack of rules is in the arena
 * instead of the C stack. Syntax errors are added to the issues and repaired
 * (recover.h). So every text has a tree, unless one of cel-go's limits was
 * reached.
 *
 *     struct parse_state p;
 *     parse_state_init(&p, arena, source, issues);
 *     struct parse_tree *t = recognizer_run(&p);
 */
#ifndef TYPECHECK_CEL_SYNTAX_RECOGNIZER_H
#define TYPECHECK_CEL_SYNTAX_RECOGNIZER_H

struct parse_state;
struct parse_tree;

/* Returns the tree of the text, or NULL if a limit stopped it; the issues say which. */
struct parse_tree *recognizer_run(struct parse_state *p);

#endif
