package dev.mailroom.accept;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.idempotency.Claim;
import dev.mailroom.idempotency.Claimed;
import dev.mailroom.quota.Reservation;
import dev.mailroom.suppression.SuppressionKey;

/**
 * Requests that share a transaction and nothing else: each keeps its own outcome. A
 * request with the same Idempotency-Key as an earlier one of the group follows that one.
 */
final class Group {

	private final List<GroupMember> passages = new ArrayList<>();

	private final Map<Claim.Name, GroupMember> leaders = new LinkedHashMap<>();

	private final List<WaitingRequest> followers = new ArrayList<>();

	Group(List<WaitingRequest> requests) {
		requests.forEach(this::add);
	}

	private void add(WaitingRequest pending) {
		Claim claim = pending.request().claim();
		if (claim != null && this.leaders.containsKey(claim.name())) {
			this.followers.add(pending);
			return;
		}
		GroupMember passage = new GroupMember(pending);
		this.passages.add(passage);
		if (claim != null) {
			this.leaders.put(claim.name(), passage);
		}
	}

	Set<UUID> accounts() {
		return this.passages.stream().map((passage) -> passage.request().accountId()).collect(Collectors.toSet());
	}

	List<Claim> claims() {
		return this.leaders.values().stream().map((passage) -> passage.request().claim()).toList();
	}

	void claimed(Map<Claim.Name, Claimed> claimed) {
		this.leaders.forEach((name, passage) -> passage.claimed(claimed.getOrDefault(name, new Claimed.Fresh())));
	}

	Set<SenderStatus.Key> senders() {
		return open().stream()
			.map((passage) -> new SenderStatus.Key(passage.request().accountId(), passage.domain()))
			.collect(Collectors.toSet());
	}

	void judge(Map<SenderStatus.Key, SenderStatus> standings) {
		open().forEach((passage) -> passage
			.judge(standings.get(new SenderStatus.Key(passage.request().accountId(), passage.domain()))));
	}

	List<Reservation> wants() {
		return open().stream().flatMap((passage) -> passage.want().stream()).toList();
	}

	/** Takes the quota's answers, one for each want and in their order. */
	void granted(List<Optional<Refused>> answers) {
		List<GroupMember> asking = open().stream().filter((passage) -> passage.want().isPresent()).toList();
		for (int i = 0; i < asking.size(); i++) {
			asking.get(i).granted(answers.get(i));
		}
	}

	/** Gives each mail that may go its place, and names everybody it goes to. */
	Set<SuppressionKey> enter(NoArgGenerator ids, Instant now) {
		return open().stream()
			.flatMap((passage) -> passage.enter(ids, now).stream())
			.flatMap(NewEmail::targets)
			.collect(Collectors.toSet());
	}

	List<NewEmail> entries(Set<SuppressionKey> suppressed) {
		return open().stream().flatMap((passage) -> passage.entries(suppressed).stream()).toList();
	}

	/** The answers to keep: of those whose work is done now. */
	Map<Claim, Answer> answers() {
		Map<Claim, Answer> answers = new HashMap<>();
		for (GroupMember passage : this.leaders.values()) {
			Claim claim = passage.request().claim();
			if (claim != null && passage.isDone()) {
				answers.put(claim, passage.request().answer().apply(passage.verdicts()));
			}
		}
		return answers;
	}

	/**
	 * The claims to let go of: of those that were refused, but for keys that are
	 * another's.
	 */
	List<Claim> released() {
		return this.leaders.values()
			.stream()
			.filter(GroupMember::wasRefusedHere)
			.map((passage) -> passage.request().claim())
			.toList();
	}

	/**
	 * Tells everybody who waits.
	 * @return those that no answer of the group fits: they must go through a group of
	 * their own
	 */
	List<WaitingRequest> tell() {
		this.passages.forEach(GroupMember::tell);
		return this.followers.stream().filter((follower) -> !leaderAnswers(follower)).toList();
	}

	private boolean leaderAnswers(WaitingRequest follower) {
		Claim claim = follower.request().claim();
		GroupMember leader = (claim != null) ? this.leaders.get(claim.name()) : null;
		return leader != null && leader.answers(follower);
	}

	private List<GroupMember> open() {
		return this.passages.stream().filter(GroupMember::isOpen).toList();
	}

}
