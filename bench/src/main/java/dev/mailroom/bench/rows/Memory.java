package dev.mailroom.bench.rows;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Program;

/** Peak memory of the API and the worker after all rounds (G19). */
final class Memory implements Section {

	private final List<Program> programs = new ArrayList<>();

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.MEMORY_API, Figure.MEMORY_WORKER);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) {
		this.programs.addAll(List.of(stack.api(), stack.worker()));
		return List.of();
	}

	@Override
	public void finish(Recorder recorder) throws Exception {
		recorder.add(Figure.MEMORY_API, (double) this.programs.getFirst().peakMemory());
		recorder.add(Figure.MEMORY_WORKER, (double) this.programs.getLast().peakMemory());
	}

}
