package dev.mailroom.contact;

import java.util.List;

/** Numbers of contacts that a call added and updated. */
public record SaveCount(long added, long updated) {

	static SaveCount of(List<SaveResult> saved) {
		long added = saved.stream().filter(SaveResult::added).count();
		return new SaveCount(added, saved.size() - added);
	}

}
