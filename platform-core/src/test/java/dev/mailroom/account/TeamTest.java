package dev.mailroom.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.SignIn.Credentials;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class TeamTest {

	private static final Secret PASSWORD = Secret.of("correct horse battery");

	@Autowired
	Registration registration;

	@Autowired
	AddressVerification verification;

	@Autowired
	SignIn signIn;

	@Autowired
	AccessTokens tokens;

	@Autowired
	Accounts accounts;

	@Autowired
	Team team;

	@Autowired
	Invitations invitations;

	private Scope owner;

	@BeforeEach
	void found() {
		Registration.Result result = await(
				this.registration.register(Applicant.of(UUID.randomUUID() + "@founder.test", PASSWORD, "Ann")));
		Secret link = ((AccountNotice.VerifyAddress) result.notice()).token();
		await(this.verification.verify(AddressVerification.Request.of(link, null, null)));
		this.owner = Scope.of(result.account().id());
	}

	@Test
	void anInvitedPersonUsesTheAccountWithTheRoleOfTheInvitation() {
		String address = address();
		Secret token = invite(address, "developer");
		assertThat(await(this.invitations.list(this.owner))).extracting(Invitation::email).containsExactly(address);
		Person person = await(this.invitations.accept(token, PASSWORD, "Bob"));
		assertThat(person.role()).isEqualTo("developer");
		awaitRefusal("Invalid request data", this.invitations.accept(token, PASSWORD, "Bob"));
		SignIn.Result signedIn = login(address);
		AccessTokens.Claims claims = await(this.tokens.read(signedIn.accessToken().text()));
		assertThat(claims.scope()).isEqualTo(this.owner.by(person.id()));
		assertThat(claims.role()).isEqualTo(MemberRole.DEVELOPER);
		assertThat(await(this.accounts.person(claims.scope())).email()).isEqualTo(address);
		assertThat(await(this.team.list(this.owner))).extracting(Person::role).containsExactly("owner", "developer");
		assertThat(await(this.invitations.list(this.owner))).isEmpty();
		assertThat(acts()).containsExactly("member.invited " + this.owner.account(), "member.joined " + person.id());
	}

	@Test
	void aChangeOfARoleAppliesToTheNextRequestAndARemovalSignsOut() {
		Person person = join("developer");
		String token = login(person.email()).accessToken().text();
		await(this.team.changeRole(this.owner, person.id(), "viewer"));
		assertThat(await(this.tokens.read(token)).role()).isEqualTo(MemberRole.VIEWER);
		await(this.team.remove(this.owner, person.id()));
		assertThat(isEmpty(this.tokens.read(token))).isTrue();
		awaitRefusal("Unauthorized", this.signIn.login(Credentials.of(person.email(), PASSWORD)));
		awaitRefusal("Member not found", this.team.remove(this.owner, person.id()));
		await(this.invitations.accept(invite(person.email(), "viewer"), PASSWORD, ""));
	}

	@Test
	void ofTwoOwnersWhoStepDownAtTheSameTimeOneStays() {
		Person other = join("owner");
		for (int i = 0; i < 5; i++) {
			List<String> outcomes = await(Flux
				.just(this.team.changeRole(this.owner, this.owner.account(), "viewer"),
						this.team.changeRole(this.owner.by(other.id()), other.id(), "viewer"))
				.flatMap((change) -> errorName(change), 2)
				.collectList());
			assertThat(outcomes).contains("ok").hasSize(2).doesNotHaveDuplicates();
			assertThat(Given.rows("select count(*) from member where account_id = '%s' and role = 'owner'",
					this.owner.account()))
				.containsExactly("1");
			Given.run("update member set role = 'owner' where account_id = '%s'", this.owner.account());
		}
	}

	@Test
	void theLastOwnerAndTheFounderStay() {
		awaitRefusal("Last owner", this.team.changeRole(this.owner, this.owner.account(), "admin"));
		Person admin = join("admin");
		Scope scope = this.owner.by(admin.id());
		awaitRefusal("Forbidden", this.team.changeRole(scope, this.owner.account(), "viewer"));
		awaitRefusal("Forbidden", this.team.changeRole(scope, admin.id(), "owner"));
		awaitRefusal("Forbidden", this.invitations.invite(scope, address(), "owner"));
		awaitRefusal("Forbidden", this.team.remove(this.owner, this.owner.account()));
		awaitRefusal("Invalid request data", this.team.changeRole(this.owner, admin.id(), "king"));
		assertThat(await(this.team.changeRole(this.owner, admin.id(), "owner")).role()).isEqualTo("owner");
	}

	@Test
	void membersOfOtherAccountsAreNotFoundAndAnAddressBelongsToOneAccount() {
		Person person = join("viewer");
		Scope stranger = Scope.of(Given.account("free"));
		awaitRefusal("Member not found", this.team.changeRole(stranger, person.id(), "admin"));
		awaitRefusal("Member not found", this.team.remove(stranger, person.id()));
		awaitRefusal("Duplicate member", this.invitations.invite(this.owner, person.email(), "admin"));
		Secret token = notice(await(this.invitations.invite(stranger, person.email(), "admin")));
		awaitRefusal("Duplicate member", this.invitations.accept(token, PASSWORD, ""));
	}

	@Test
	void aWithdrawnOrReplacedInvitationIsNotValid() {
		String address = address();
		Secret first = invite(address, "viewer");
		Invitations.Sent second = await(this.invitations.invite(this.owner, address, "admin"));
		awaitRefusal("Invalid request data", this.invitations.accept(first, PASSWORD, ""));
		await(this.invitations.withdraw(this.owner, second.invitation().id()));
		awaitRefusal("Invalid request data", this.invitations.accept(notice(second), PASSWORD, ""));
		awaitRefusal("Invitation not found", this.invitations.withdraw(this.owner, second.invitation().id()));
	}

	private Person join(String role) {
		return await(this.invitations.accept(invite(address(), role), PASSWORD, "Bob"));
	}

	private Secret invite(String address, String role) {
		return notice(await(this.invitations.invite(this.owner, address, role)));
	}

	private SignIn.Result login(String address) {
		return await(this.signIn.login(Credentials.of(address, PASSWORD)));
	}

	private List<String> acts() {
		return Given.rows("select act || ' ' || actor_id from audit where account_id = '%s' and act like 'member.%%' "
				+ "order by id", this.owner.account());
	}

	private static Secret notice(Invitations.Sent sent) {
		return ((AccountNotice.JoinTeam) sent.notice()).token();
	}

	private static String address() {
		return UUID.randomUUID() + "@member.test";
	}

}
