package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.accept.SendPolicy.SuppressionKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@WithCore
class SuppressionTest {

	private static final Page.Request FIRST_PAGE = new Page.Request(1, 50);

	@Autowired
	Suppressions suppressions;

	@Autowired
	SettlementStore store;

	@Autowired
	JdbcTransactions transactions;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void anAddressIsStoredInLowerCaseWithItsReason() {
		Suppression.Entered entered = enter("Ann@Example.TEST", "complaint");
		assertThat(entered.added()).isTrue();
		assertThat(entered.suppression().address()).isEqualTo("ann@example.test");
		assertThat(entered.suppression().reason()).isEqualTo(Suppression.Reason.COMPLAINT);
		assertThat(entered.suppression().accountId()).isEqualTo(this.scope.account());
		assertThat(enter("b@x.test", null).suppression().reason()).isEqualTo(Suppression.Reason.MANUAL);
	}

	@Test
	void anExistingEntryKeepsItsReasonAndTime() {
		Suppression first = enter("a@x.test", "complaint").suppression();
		Suppression.Entered again = enter("A@X.test", "manual");
		assertThat(again.added()).isFalse();
		assertThat(again.suppression()).isEqualTo(first);
		suppress(List.of(suppressed("a@x.test", Suppression.Reason.HARD_BOUNCE)));
		assertThat(list(null).items()).containsExactly(first);
	}

	@ParameterizedTest
	@EnumSource(Suppression.Reason.class)
	void eachReasonIsStoredAndReadByItsName(Suppression.Reason reason) {
		assertThat(Suppression.Reason.of(reason.contractName())).contains(reason);
		assertThat(enter("a@x.test", reason.contractName()).suppression().reason()).isEqualTo(reason);
		assertThat(list(null).items()).extracting(Suppression::reason).containsExactly(reason);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "-,-,email", "nobody,-,email", "a@b.test,whim,reason", "a@b.test,MANUAL,reason" })
	void anInvalidFieldIsNamedInTheRefusal(String email, String reason, String field) {
		assertThat(awaitRefusal("Invalid request data",
				this.suppressions.enter(this.scope, new Suppression.Form(email, reason)))
			.details()).extracting(Refusal.Detail::field).containsExactly(field);
	}

	@Test
	void aBulkCallAddsAllAddressesOrNone() {
		awaitRefusal("Invalid request data",
				this.suppressions.enterAll(this.scope, List.of(form("a@x.test"), form("nobody"))));
		assertThat(list(null).total()).isZero();
		enter("a@x.test", null);
		List<Suppression.@Nullable Form> forms = List.of(form("A@x.test"),
				new Suppression.Form("b@x.test", "hard_bounce"), form("B@x.test"));
		assertThat(await(this.suppressions.enterAll(this.scope, forms))).isEqualTo(1);
		assertThat(list("b@").items()).extracting(Suppression::reason).containsExactly(Suppression.Reason.HARD_BOUNCE);
	}

	@Test
	void aBulkCallTakesOneToAThousandAddresses() {
		awaitRefusal("Invalid request data", this.suppressions.enterAll(this.scope, List.of()));
		awaitRefusal("Invalid request data", this.suppressions.enterAll(this.scope, forms(0, 1001)));
		assertThat(await(this.suppressions.enterAll(this.scope, forms(0, 1000)))).isEqualTo(1000);
	}

	@Test
	void concurrentCallsWithOverlappingAddressesCountEachAddressOnce() {
		List<Long> counts = await(Flux.range(0, 8)
			.flatMap((i) -> this.suppressions.enterAll(this.scope, ((i % 2) == 0) ? forms(0, 300) : reversed(100, 400))
				.subscribeOn(Schedulers.parallel()), 8)
			.collectList());
		assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(400);
		assertThat(list(null).total()).isEqualTo(400);
	}

	@Test
	void addressesOfOneGroupAreSuppressedOnceEach() {
		UUID other = Given.account("free");
		List<SettledDelivery.Suppressed> group = List.of(suppressed("a@x.test", Suppression.Reason.HARD_BOUNCE),
				suppressed("a@x.test", Suppression.Reason.HARD_BOUNCE),
				new SettledDelivery.Suppressed(other, "a@x.test", Suppression.Reason.COMPLAINT));
		suppress(group);
		assertThat(list(null).items()).extracting(Suppression::reason).containsExactly(Suppression.Reason.HARD_BOUNCE);
		assertThat(Given.rows("select reason from suppression where account_id = '%s'", other))
			.containsExactly("complaint");
	}

	@Test
	void aSearchMatchesLiterallyAndRegardlessOfCase() {
		enter("a_1@x.test", null);
		enter("ab1@x.test", null);
		enter("c%d@y.test", null);
		assertThat(addresses(null)).containsExactly("c%d@y.test", "ab1@x.test", "a_1@x.test");
		assertThat(addresses("A_1")).containsExactly("a_1@x.test");
		assertThat(addresses("%")).containsExactly("c%d@y.test");
		assertThat(addresses("\0")).isEmpty();
		assertThat(addresses(" ")).hasSize(3);
	}

	@Test
	void aListReadByCursorContinuesAfterThePage() {
		await(this.suppressions.enterAll(this.scope, forms(0, 5)));
		Page<Suppression> first = await(this.suppressions.list(this.scope, null, new Page.Request(1, 3)));
		Page<Suppression> second = await(
				this.suppressions.list(this.scope, null, new Page.Request(1, 3, first.next())));
		assertThat(first.total()).isEqualTo(5);
		assertThat(first.items()).hasSize(3);
		assertThat(second.items()).hasSize(2).doesNotContainAnyElementsOf(first.items());
		assertThat(second.next()).isNull();
	}

	@Test
	void anEntryIsDeletedByItsOwnAccountOnly() {
		UUID id = enter("a@x.test", null).suppression().id();
		Scope other = Scope.of(Given.account("free"));
		assertThat(await(this.suppressions.list(other, null, FIRST_PAGE)).items()).isEmpty();
		awaitRefusal("Suppression not found", this.suppressions.lift(other, id));
		assertThat(addresses(null)).containsExactly("a@x.test");
		assertThat(isEmpty(this.suppressions.lift(this.scope, id))).isTrue();
		assertThat(addresses(null)).isEmpty();
		awaitRefusal("Suppression not found", this.suppressions.lift(this.scope, id));
	}

	@Test
	void aKeyHasItsAddressInLowerCase() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SuppressionKey(this.scope.account(), "A@x.test"));
	}

	private Suppression.Entered enter(String email, @Nullable String reason) {
		return await(this.suppressions.enter(this.scope, new Suppression.Form(email, reason)));
	}

	private Page<Suppression> list(@Nullable String search) {
		return await(this.suppressions.list(this.scope, search, FIRST_PAGE));
	}

	private List<String> addresses(@Nullable String search) {
		return list(search).items().stream().map(Suppression::address).toList();
	}

	private SettledDelivery.Suppressed suppressed(String address, Suppression.Reason reason) {
		return new SettledDelivery.Suppressed(this.scope.account(), address, reason);
	}

	private void suppress(List<SettledDelivery.Suppressed> group) {
		this.transactions.runAcrossAccounts((jdbc) -> this.store.suppress(jdbc, group));
	}

	private static Suppression.Form form(String email) {
		return new Suppression.Form(email, null);
	}

	private static List<Suppression.@Nullable Form> forms(int from, int to) {
		return IntStream.range(from, to).<Suppression
			.@Nullable Form>mapToObj((i) -> form("n" + i + "@x.test"))
			.toList();
	}

	private static List<Suppression.@Nullable Form> reversed(int from, int to) {
		return forms(from, to).reversed();
	}

}
