package dev.mailroom.cli;

import java.util.ArrayList;
import java.util.List;

/** Differences of texts by lines. */
final class Differences {

	/** Longer texts are shown as removed and added, for want of time. */
	private static final int MOST_CELLS = 25_000_000;

	private static final int CONTEXT = 3;

	private Differences() {
	}

	/** Lines that were removed, added, or stand beside those. */
	static List<String> lines(List<String> old, List<String> current) {
		int first = 0;
		while (first < old.size() && first < current.size() && old.get(first).equals(current.get(first))) {
			first++;
		}
		int last = 0;
		while (last < old.size() - first && last < current.size() - first
				&& old.get(old.size() - 1 - last).equals(current.get(current.size() - 1 - last))) {
			last++;
		}
		if (first == old.size() && first == current.size()) {
			return List.of();
		}
		List<String> lines = new ArrayList<>();
		old.subList(Math.max(0, first - CONTEXT), first).forEach((line) -> lines.add(" " + line));
		middle(old.subList(first, old.size() - last), current.subList(first, current.size() - last), lines);
		old.subList(old.size() - last, Math.min(old.size(), old.size() - last + CONTEXT))
			.forEach((line) -> lines.add(" " + line));
		return lines;
	}

	/** The longest common subsequence, by dynamic programming. */
	private static void middle(List<String> old, List<String> current, List<String> lines) {
		if ((long) old.size() * current.size() > MOST_CELLS) {
			old.forEach((line) -> lines.add("-" + line));
			current.forEach((line) -> lines.add("+" + line));
			return;
		}
		int[][] longest = new int[old.size() + 1][current.size() + 1];
		for (int i = old.size() - 1; i >= 0; i--) {
			for (int j = current.size() - 1; j >= 0; j--) {
				longest[i][j] = old.get(i).equals(current.get(j)) ? longest[i + 1][j + 1] + 1
						: Math.max(longest[i + 1][j], longest[i][j + 1]);
			}
		}
		int i = 0;
		int j = 0;
		while (i < old.size() || j < current.size()) {
			if (i < old.size() && j < current.size() && old.get(i).equals(current.get(j))) {
				lines.add(" " + old.get(i));
				i++;
				j++;
			}
			else if (j == current.size() || (i < old.size() && longest[i + 1][j] >= longest[i][j + 1])) {
				lines.add("-" + old.get(i));
				i++;
			}
			else {
				lines.add("+" + current.get(j));
				j++;
			}
		}
	}

}
