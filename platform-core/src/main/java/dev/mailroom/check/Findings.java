package dev.mailroom.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects findings, a few for each check, because one fault is often repeated. */
final class Findings {

	private static final int MAX_EACH = 5;

	private final Map<ContentFinding.Check, List<ContentFinding>> found = new EnumMap<>(ContentFinding.Check.class);

	private final Map<ContentFinding.Check, Integer> others = new EnumMap<>(ContentFinding.Check.class);

	void error(ContentFinding.Check check, String message) {
		add(new ContentFinding(check, ContentFinding.Level.ERROR, message));
	}

	void warn(ContentFinding.Check check, String message) {
		add(new ContentFinding(check, ContentFinding.Level.WARNING, message));
	}

	/** Records that a check is passed, unless it has found something. */
	void pass(ContentFinding.Check check, String message) {
		if (!this.found.containsKey(check)) {
			add(new ContentFinding(check, ContentFinding.Level.PASSED, message));
		}
	}

	private void add(ContentFinding finding) {
		List<ContentFinding> same = this.found.computeIfAbsent(finding.check(), (_) -> new ArrayList<>());
		if (same.contains(finding)) {
			return;
		}
		if (same.size() < MAX_EACH) {
			same.add(finding);
			return;
		}
		this.others.merge(finding.check(), 1, Integer::sum);
		// An error is never hidden behind warnings.
		if (finding.level() == ContentFinding.Level.ERROR) {
			same.sort((one, two) -> one.level().compareTo(two.level()));
			if (same.getLast().level() != ContentFinding.Level.ERROR) {
				same.set(MAX_EACH - 1, finding);
			}
		}
	}

	/** All findings in the order of the checks, the errors of each first. */
	List<ContentFinding> all() {
		List<ContentFinding> all = new ArrayList<>();
		this.found.forEach((check, findings) -> {
			findings.sort((one, two) -> one.level().compareTo(two.level()));
			all.addAll(findings);
			int more = this.others.getOrDefault(check, 0);
			if (more > 0) {
				all.add(new ContentFinding(check, findings.getLast().level(), "And " + more + " more."));
			}
		});
		return all;
	}

}
