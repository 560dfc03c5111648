package dev.mailroom.bench.rows;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;

/**
 * Size of the tables after a backlog, by that of the same rows without dead ones (G21).
 */
final class Bloat implements Section {

	private static final String SIZE = "select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' "
			+ "and relnamespace = 'public'::regnamespace and relname not in ('contact', 'narrow')";

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.BLOAT);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) {
		return List.of(Step.of((out) -> {
			stack.awaitSettled();
			double size = stack.number(SIZE);
			stack.database().run(Stack.PRODUCT, "vacuum full");
			out.add(Figure.BLOAT, size / stack.number(SIZE));
		}, Figure.BLOAT).inRounds(1));
	}

}
