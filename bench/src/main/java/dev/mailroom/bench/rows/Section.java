package dev.mailroom.bench.rows;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.bench.Sample;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;

/** Part of the benchmark with its own tenants and data. */
interface Section {

	/** Figures that the section can measure. */
	Set<Figure> figures();

	/**
	 * Prepares the data and returns the steps of a round.
	 * @param wanted figures that are to be measured
	 */
	List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception;

	/**
	 * Runs code that the warm-up of API and worker by single mails and batches does not
	 * reach; repeated until they are warm.
	 */
	default void warmUp() throws Exception {
	}

	/** Measures what is known after the last round only. */
	default void finish(Recorder recorder) throws Exception {
	}

	/**
	 * A part of each round.
	 *
	 * @param figures figures that it measures
	 * @param rounds number of rounds in which it takes part
	 */
	record Step(Set<Figure> figures, int rounds, Action action) {

		/** Creates a step of every round. */
		static Step of(Action action, Figure first, Figure... others) {
			return new Step(EnumSet.of(first, others), Integer.MAX_VALUE, action);
		}

		/** The step in a few rounds only. */
		Step inRounds(int number) {
			return new Step(this.figures, number, this.action);
		}

	}

	/** Measurement of one round. */
	interface Action {

		void run(Recorder recorder) throws Exception;

	}

	/** Receives the values of a round. */
	interface Recorder {

		void add(Figure figure, double value) throws IOException;

		/** Adds a rate with its CPU time. */
		void add(Figure figure, Sample sample) throws IOException;

		/** Records why figures are not measured. */
		void missing(Set<Figure> figures, String reason) throws IOException;

	}

}
