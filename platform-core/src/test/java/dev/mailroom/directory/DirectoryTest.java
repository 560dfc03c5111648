package dev.mailroom.directory;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import com.google.errorprone.annotations.FormatMethod;
import dev.mailroom.Await;
import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.WrongSetting;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.AddressVerification;
import dev.mailroom.account.Applicant;
import dev.mailroom.account.Invitations;
import dev.mailroom.account.PasswordReset;
import dev.mailroom.account.Person;
import dev.mailroom.account.Registration;
import dev.mailroom.account.Secret;
import dev.mailroom.account.SignIn;
import dev.mailroom.account.Team;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The features of the cell eu1, beside the claims of the cell us1. */
@WithCore
class DirectoryTest {

	private static final Secret PASSWORD = Secret.of(Given.PASSWORD);

	@Autowired
	Directory directory;

	@Autowired
	DirectoryCopy copy;

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	PasswordReset reset;

	@Autowired
	SignIn signIn;

	@Autowired
	Invitations invitations;

	@Autowired
	Team team;

	@Autowired
	Domains domains;

	@Autowired
	Verification checks;

	private final EmailAddress address = EmailAddress.parse(UUID.randomUUID() + "@Ann.test").orElseThrow();

	@DynamicPropertySource
	static void settings(DynamicPropertyRegistry settings) {
		settings.add("mailroom.cell.name", () -> "eu1");
		settings.add("mailroom.directory.url", TestDirectory.PROXY::url);
		settings.add("mailroom.directory.password", () -> TestDirectory.PASSWORD);
		settings.add("mailroom.reserved-names", () -> true);
	}

	@BeforeAll
	static void join() throws SQLException {
		TestDirectory.join();
		TestDirectory.join();
	}

	@AfterAll
	static void leave() {
		TestDirectory.leave();
	}

	@Test
	void anAddressIsClaimedByItsVerificationAndFoundInTheCopy() {
		Scope ann = register();
		assertThat(holder("address " + hash())).isNull();
		verify();
		assertThat(holder("address " + hash())).isEqualTo("eu1");
		awaitCopy("address " + hash());
		assertThat(Given.rows("select account || ' ' || cell || ' ' || url from directory_home('address %s')", hash()))
			.containsExactly(ann.account() + " eu1 https://eu1.example.test");
		assertThat(Await.isEmpty(this.directory.otherCell(this.address))).isTrue();
	}

	@Test
	void anAddressThatIsRegisteredInBothCellsBelongsToTheFirstThatVerifiesIt() {
		Secret link = link();
		claimInOtherCell("address " + hash());
		Refused refused = awaitRefusal("Misdirected",
				this.verification.verify(new AddressVerification.Request(link, null, null)));
		assertThat(refused.refusal().kind().status()).isEqualTo(421);
		assertThat(refused.properties()).containsEntry("url", "https://us1.example.test");
		assertThat(Given.rows("select id from account where email_key = '%s' and email_verified_at is not null",
				this.address.key()))
			.isEmpty();
	}

	@Test
	void aPersonOfAnotherCellIsSentThereWhateverThePersonDoes() {
		claimInOtherCell("address " + hash());
		awaitCopy("address " + hash());
		Refused refused = awaitRefusal("Misdirected", this.signIn.login(credentials("not this password")));
		assertThat(refused.message()).contains("cell us1", "https://us1.example.test");
		AccountNotice notice = new AccountNotice.InOtherCell(this.address.toString(), "https://us1.example.test");
		Registration.Result result = await(
				this.registration.register(Applicant.of(this.address.toString(), PASSWORD, "Ann")));
		assertThat(result.account().emailVerified()).isFalse();
		assertThat(result.notice()).isEqualTo(notice);
		assertThat(await(this.registration.resend(this.address))).isEqualTo(notice);
		assertThat(await(this.reset.forgot(this.address))).isEqualTo(notice);
	}

	@Test
	void anAddressThatNoCellHasIsRefusedAsBefore() {
		awaitRefusal("Unauthorized", this.signIn.login(credentials("any password")));
	}

	@Test
	void whatNeedsNoClaimWorksWithoutTheDirectory() {
		Scope ann = register();
		verify();
		Domain own = domain(ann);
		assertThat(await(this.checks.verify(ann, own.id())).status()).isEqualTo(Domain.Status.VERIFIED);
		Domain next = domain(ann);
		EmailAddress elsewhere = EmailAddress.parse(UUID.randomUUID() + "@Bob.test").orElseThrow();
		claimInOtherCell("address " + hash(elsewhere));
		awaitCopy("address " + hash(elsewhere));
		TestDirectory.PROXY.setDown(true);
		try {
			await(this.signIn.login(credentials(Given.PASSWORD)));
			awaitRefusal("Misdirected", this.signIn.login(SignIn.Credentials.of(elsewhere.toString(), PASSWORD)));
			assertThat(await(this.checks.verify(ann, own.id())).status()).isEqualTo(Domain.Status.VERIFIED);
			await(this.reset.reset(new PasswordReset.Request(forgotten(), Secret.of("another good password"))));
			Refused refused = awaitRefusal("Service unavailable", this.checks.verify(ann, next.id()));
			assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(30));
			awaitRefusal("Service unavailable",
					this.registration.register(Applicant.of(UUID.randomUUID() + "@ann.test", PASSWORD, "Ann")));
			assertThatExceptionOfType(Refused.class).isThrownBy(this.copy::observe);
			assertThat(this.copy.reached()).isZero();
			await(this.domains.delete(ann, own.id()));
		}
		finally {
			TestDirectory.PROXY.setDown(false);
		}
		assertThat(await(this.checks.verify(ann, next.id())).status()).isEqualTo(Domain.Status.VERIFIED);
		await(this.registration.register(Applicant.of(UUID.randomUUID() + "@ann.test", PASSWORD, "Ann")));
		this.copy.observe();
		assertThat(this.copy.reached()).isOne();
		assertThat(this.copy.age()).isBetween(0.0, 300.0);
	}

	@Test
	void aDomainIsVerifiedInOneCellUntilItIsReleasedThere() {
		Scope ann = register();
		verify();
		Domain domain = domain(ann);
		claimInOtherCell("domain " + domain.name());
		Domain refused = await(this.checks.verify(ann, domain.id()));
		assertThat(refused.status()).isEqualTo(Domain.Status.PENDING);
		assertThat(refused.records().getFirst().error()).contains("verified for another account");
		other("delete from directory_name where name = 'domain %s'", domain.name());
		assertThat(await(this.checks.verify(ann, domain.id())).status()).isEqualTo(Domain.Status.VERIFIED);
		assertThat(holder("domain " + domain.name())).isEqualTo("eu1");
		Await.until("the copy has the account",
				() -> Given.rows("select account from directory_home('domain %s')", domain.name())
					.equals(List.of(ann.account().toString())));
		await(this.domains.delete(ann, domain.id()));
		assertThat(holder("domain " + domain.name())).isNull();
	}

	@Test
	void ofTwoCellsThatClaimADomainAtOnceOneHasIt() {
		UUID account = UUID.randomUUID();
		DirectoryServer us1 = otherCell();
		for (int i = 0; i < 20; i++) {
			String domain = UUID.randomUUID() + ".test";
			List<Boolean> claimed = Await
				.together(2, (cell) -> (cell == 0) ? await(this.directory.claimDomain(account, domain)) : us1
					.run((jdbc) -> DirectoryStore.claim(jdbc, List.of("domain " + domain), List.of(UUID.randomUUID())))
					.isEmpty());
			assertThat(claimed).containsExactlyInAnyOrder(true, false);
			assertThat(holder("domain " + domain)).isEqualTo(claimed.getFirst() ? "eu1" : "us1");
		}
	}

	@Test
	void aMemberWhoIsRemovedReleasesTheAddress() {
		Scope account = Scope.of(Given.account("free"));
		Secret token = ((AccountNotice.JoinTeam) Objects
			.requireNonNull(await(this.invitations.invite(account, this.address.toString(), "viewer")).notice()))
			.token();
		Person person = await(this.invitations.accept(token, PASSWORD, "Ann"));
		assertThat(holder("address " + hash())).isEqualTo("eu1");
		awaitCopy("address " + hash());
		await(this.team.remove(account, person.id()));
		assertThat(holder("address " + hash())).isNull();
	}

	@Test
	void differencesFromTheDirectoryAreRepaired() {
		Scope missing = Given.sender("free");
		Scope conflicting = Given.sender("free");
		claimInOtherCell("domain " + conflicting.domain() + ".test");
		UUID moved = UUID.randomUUID();
		claim("eu1", moved, "domain moved-" + moved + ".test");
		claim("eu1", UUID.randomUUID(), "domain surplus-" + moved + ".test");
		claim("eu1", UUID.randomUUID(), "domain recent-" + moved + ".test");
		other("update directory_name set claimed_at = now() - interval '3 minutes' where name = 'domain surplus-%s.test'",
				moved);
		Given.run("insert into account_move (account_id, cell, phase) values ('%s', 'us1', 'left')", moved);
		awaitCopy("domain recent-" + moved + ".test");
		this.copy.observe();
		this.copy.repair();
		assertThat(holder("domain " + missing.domain() + ".test")).isEqualTo("eu1");
		assertThat(holder("address " + hash(EmailAddress.parse(missing.account() + "@owner.test").orElseThrow())))
			.isEqualTo("eu1");
		assertThat(holder("domain " + conflicting.domain() + ".test")).isEqualTo("us1");
		assertThat(this.copy.conflicts()).isOne();
		assertThat(holder("domain moved-" + moved + ".test")).isEqualTo("us1");
		assertThat(holder("domain surplus-" + moved + ".test")).isNull();
		assertThat(holder("domain recent-" + moved + ".test")).isEqualTo("eu1");
		Given.run("delete from domain where id = '%s'", conflicting.domain());
		Await.until("nothing is left to repair", () -> this.copy.repair() == 0 && this.copy.conflicts() == 0);
	}

	@Test
	void theRoleOfACellChangesItsOwnNamesOnly() throws SQLException {
		UUID account = UUID.randomUUID();
		claim("eu1", account, "domain mine-" + account + ".test");
		DirectoryServer us1 = otherCell();
		us1.run((jdbc) -> {
			DirectoryStore.release(jdbc, List.of("domain mine-" + account + ".test", "account " + account),
					List.of(account, account), Duration.ZERO);
			return true;
		});
		us1.move(account, "us1");
		assertThat(holder("domain mine-" + account + ".test")).isEqualTo("eu1");
		try (Connection connection = DriverManager.getConnection("jdbc:" + TestDirectory.OTHER_URL, "mailroom_cell_us1",
				TestDirectory.PASSWORD)) {
			for (String sql : List.of("select from account", "select from domain", "delete from directory_name",
					"update directory_account set cell = 'us1'", "select from account_by_email('a@b.test')")) {
				assertThatExceptionOfType(SQLException.class)
					.isThrownBy(() -> connection.createStatement().execute(sql))
					.withMessageContaining("permission denied");
			}
		}
	}

	@Test
	void aDirectoryNeedsTheNameOfTheCell() {
		assertThatExceptionOfType(WrongSetting.class)
			.isThrownBy(() -> DirectoryServer.of(Map.of("MAILROOM_DIRECTORY_URL", TestDirectory.OTHER_URL)))
			.withMessageContaining("MAILROOM_CELL");
		assertThat(DirectoryServer.of(Map.of())).isNull();
	}

	private Scope register() {
		return Scope.of(registered().account().id());
	}

	private Registration.Result registered() {
		return await(this.registration.register(Applicant.of(this.address.toString(), PASSWORD, "Ann")));
	}

	private Secret link() {
		return ((AccountNotice.VerifyAddress) Objects.requireNonNull(registered().notice())).token();
	}

	private void verify() {
		AccountNotice.VerifyAddress notice = (AccountNotice.VerifyAddress) await(
				this.registration.resend(this.address));
		await(this.verification.verify(new AddressVerification.Request(notice.token(), null, null)));
	}

	private Secret forgotten() {
		return ((AccountNotice.ResetPassword) await(this.reset.forgot(this.address))).token();
	}

	private SignIn.Credentials credentials(String password) {
		return SignIn.Credentials.of(this.address.toString(), Secret.of(password));
	}

	private Domain domain(Scope scope) {
		return await(this.domains.create(scope, "d" + UUID.randomUUID() + ".test"));
	}

	private String hash() {
		return hash(this.address);
	}

	private static String hash(EmailAddress address) {
		return Given.rows("select encode(sha256('%s'), 'hex')", address.key()).getFirst();
	}

	/** The cell that has a name, by the directory. */
	private static @Nullable String holder(String name) {
		return otherCell().run((jdbc) -> DirectoryStore.home(jdbc, name))
			.stream()
			.map(Directory.Home::cell)
			.findFirst()
			.orElse(null);
	}

	private static void claimInOtherCell(String name) {
		claim("us1", UUID.randomUUID(), name);
	}

	private static void claim(String cell, UUID account, String name) {
		List<Directory.Home> refused = server(cell)
			.run((jdbc) -> DirectoryStore.claim(jdbc, List.of(name), List.of(account)));
		assertThat(refused).isEmpty();
	}

	private static DirectoryServer otherCell() {
		return server("us1");
	}

	private static DirectoryServer server(String cell) {
		return Objects.requireNonNull(DirectoryServer.of(TestDirectory.OTHER_URL, cell, TestDirectory.PASSWORD));
	}

	private static void awaitCopy(String name) {
		Await.until("the copy has " + name,
				() -> !Given.rows("select name from directory_name where name = '%s'", name).isEmpty());
	}

	@FormatMethod
	private static void other(String sql, Object... arguments) {
		TestDatabase.execute(TestDirectory.OTHER, sql.formatted(arguments));
	}

}
