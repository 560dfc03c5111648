package dev.mailroom;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.mailroom.database.JdbcPool;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.database.Transactions;
import org.reactivestreams.Publisher;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Architecture rules of all modules. The {@code HouseTest} of each module includes them.
 */
public final class HouseRules {

	/** Classes that wait for a publisher or subscribe to one, with the reason. */
	private static final Map<String, String> BRIDGES = Map.ofEntries(
			Map.entry("dev.mailroom.mail.accept.Committer",
					"one thread commits groups of concurrent requests, one group at a time"),
			Map.entry("dev.mailroom.mail.accept.SendRates", "reads old rates anew beside the request that finds them"),
			Map.entry("dev.mailroom.database.LimitedConnection", "closes a connection that its borrower has given up"),
			Map.entry("dev.mailroom.database.Replicas",
					"probes standbys, and asks the primary once for all lists that wait"),
			Map.entry("dev.mailroom.api.tracking.TlsChallengeHandler", "completes promises of Netty's TLS handshake"),
			Map.entry("dev.mailroom.worker.webhook.CallClient",
					"waits on the thread of a call for the only HTTP client that connects to a checked address"),
			Map.entry("dev.mailroom.worker.smtp.client.MtaSts",
					"completes promises of Netty's resolver, and fetches known policies again in the background"),
			Map.entry("dev.mailroom.worker.report.TlsReportSender",
					"waits on the thread of its job for DNS and for the receivers of reports"),
			Map.entry("dev.mailroom.worker.smtp.client.InboundProbe", "waits on the thread of its job for the server"),
			Map.entry("dev.mailroom.worker.smtp.client.Dane",
					"shares look-ups in progress, stores results and tests DNSSEC in the background"),
			Map.entry("dev.mailroom.worker.tracking.TrackingProbe", "the same, on the thread of a check"),
			Map.entry("dev.mailroom.worker.bimi.BimiProbe", "waits on the thread of a check for a file"),
			Map.entry("dev.mailroom.readiness.BimiChecks",
					"waits on the thread of a check for lookups, which the web apps make too"),
			Map.entry("dev.mailroom.worker.tracking.AcmeOrders", "waits on the thread of its job for CAA records"),
			Map.entry("dev.mailroom.api.tracking.TrackingTls", "completes the promise of a handshake"),
			Map.entry("dev.mailroom.upkeep.PlatformMail", "jobs wait on their threads until their mail is accepted"),
			Map.entry("dev.mailroom.tracking.ConfirmationMails", "the same"),
			Map.entry("dev.mailroom.closure.Erasure", "the same, for mails to the owners of an account"),
			Map.entry("dev.mailroom.domain.DomainWatch",
					"waits on the thread of a check for the verification, which owners request too"),
			Map.entry("dev.mailroom.worker.smtp.server.Dmarc",
					"waits on the thread of a check for the walk, which the web apps make too"),
			Map.entry("dev.mailroom.operator.AutoPause",
					"waits on the thread of its job for the pause, which operators request too"),
			Map.entry("dev.mailroom.worker.dispatch.DeliveryTopic",
					"waits on the thread of the dispatcher for the acknowledgements of the broker"),
			Map.entry("dev.mailroom.worker.jobs.Jobs",
					"waits on the thread of a loop for work that the web apps share"),
			Map.entry("dev.mailroom.worker.send.SenderThreads",
					"its threads wait for each hand-over, which bounds the work in flight"));

	/** Classes other than stores that contain SQL, with the reason. */
	private static final Map<String, String> SHARED_SQL = Map.of("dev.mailroom.mail.queue.Transitions",
			"SQL shared by features that change a delivery in their own transaction",
			"dev.mailroom.mail.queue.EmailRows", "SQL shared by features that change a mail in their own transaction",
			"dev.mailroom.account.AccountRows", "SQL of operators and of the automatic pause, in their own transaction",
			"dev.mailroom.contact.Confirmations", "SQL of the mails that another feature sends",
			"dev.mailroom.mail.queue.Holds", "each method is one statement, which workers and operators share");

	private static final Set<String> WAITING = Set.of("subscribe", "toFuture", "toIterable", "toStream", "join");

	/** The classes that create the clock of an app, or of a program before it has one. */
	private static final String[] CLOCKS = { "dev.mailroom.Core", "dev.mailroom.standalone.StartSequence",
			"dev.mailroom.standalone.mailbox.MailboxServer" };

	@ArchTest
	static final ArchTests SWITCHES = ArchTests.in(SwitchRules.class);

	@ArchTest
	static final ArchTests SIZES = ArchTests.in(SizeRules.class);

	@ArchTest
	static final ArchRule NO_CYCLES = slices().matching("dev.mailroom.(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule STORES_ARE_PACKAGE_PRIVATE = classes().that()
		.haveSimpleNameEndingWith("Store")
		.should()
		.bePackagePrivate()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule ONLY_STORES_USE_THE_DATABASE_CLIENT = noClasses().that(DescribedPredicate.not(hasSql()))
		.and()
		.doNotBelongToAnyOf(Transactions.class, SqlStatement.class)
		.should()
		.dependOnClassesThat()
		.areAssignableTo(DatabaseClient.class)
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule ONLY_THE_CORE_USES_THE_DATABASE_CLIENT = noClasses().that()
		.resideInAnyPackage("dev.mailroom.api..", "dev.mailroom.admin..", "dev.mailroom.worker..",
				"dev.mailroom.standalone..", "dev.mailroom.observability..", "dev.mailroom.http..")
		.should()
		.dependOnClassesThat()
		.areAssignableTo(DatabaseClient.class)
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule ONLY_TRANSACTIONS_OPENS_A_TRANSACTION = noClasses().that()
		.resideOutsideOfPackage("dev.mailroom.database")
		.should()
		.dependOnClassesThat()
		.belongToAnyOf(TransactionalOperator.class, TransactionTemplate.class, JdbcPool.class)
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule STORE_METHODS_NAME_AN_ACCOUNT = methods().that()
		.areDeclaredInClassesThat(hasSql())
		.and()
		.areNotPrivate()
		.and()
		.areNotStatic()
		.should(nameAnAccount())
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule CONTROLLERS_LISTENERS_AND_SETTINGS_ARE_PACKAGE_PRIVATE = classes().that()
		.areMetaAnnotatedWith(Controller.class)
		.or()
		.haveSimpleNameEndingWith("Listener")
		.or()
		.areAnnotatedWith(ConfigurationProperties.class)
		.should()
		.bePackagePrivate()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule ONLY_BRIDGES_WAIT = noClasses().that()
		.doNotHaveModifier(JavaModifier.SYNTHETIC)
		.and(DescribedPredicate.not(DescribedPredicate.describe("are bridges", HouseRules::isBridge)))
		.should()
		.callMethodWhere(DescribedPredicate.describe("it waits for a publisher or subscribes to it", HouseRules::waits))
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule NAMES_SAY_SOMETHING = noClasses().should()
		.haveSimpleNameEndingWith("Impl")
		.orShould()
		.haveSimpleNameEndingWith("Util")
		.orShould()
		.haveSimpleNameEndingWith("Utils")
		.orShould()
		.haveSimpleNameEndingWith("Helper")
		.orShould()
		.haveSimpleNameEndingWith("Manager")
		.orShould()
		.haveSimpleNameEndingWith("Dto")
		.orShould()
		.haveSimpleNameStartingWith("Abstract")
		.orShould()
		.resideInAnyPackage("..common..", "..util..", "..shared..", "..misc..", "..impl..", "..infra..");

	@ArchTest
	static final ArchRule TIME_COMES_FROM_AN_INJECTED_CLOCK = noClasses().should()
		.callMethod(Instant.class, "now")
		.orShould()
		.callMethod(LocalDate.class, "now")
		.orShould()
		.callMethod(LocalDate.class, "now", ZoneId.class)
		.orShould()
		.callMethod(LocalDateTime.class, "now")
		.orShould()
		.callMethod(OffsetDateTime.class, "now")
		.orShould()
		.callMethod(ZonedDateTime.class, "now")
		.orShould()
		.callMethod(Clock.class, "systemDefaultZone")
		.orShould()
		.callMethod(System.class, "currentTimeMillis");

	@ArchTest
	static final ArchRule ONLY_THE_CORE_AND_THE_START_CREATE_A_CLOCK = noClasses().that()
		.haveNameNotMatching(String.join("|", CLOCKS))
		.should()
		.callMethod(Clock.class, "systemUTC")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule KAFKA_STAYS_IN_DISPATCH_AND_SEND = noClasses().that()
		.resideOutsideOfPackages("dev.mailroom.worker.dispatch", "dev.mailroom.worker.send", "dev.mailroom.standalone")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule SMTP_STAYS_IN_ITS_PACKAGES = noClasses().that()
		.resideOutsideOfPackages("dev.mailroom.worker.smtp..", "dev.mailroom.standalone.mailbox")
		.and()
		.doNotHaveFullyQualifiedName("dev.mailroom.worker.webhook.CheckedAddresses")
		.and()
		.doNotHaveFullyQualifiedName("dev.mailroom.api.tracking.TrackingTls")
		.and()
		// Measures the threads of all connections.
		.doNotHaveFullyQualifiedName("dev.mailroom.observability.EventLoopMeters")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.netty.handler.codec.smtp..", "reactor.netty.tcp..", "dev.mailroom.worker.smtp.server..",
				"org.springframework.mail..")
		.allowEmptyShould(true);

	private HouseRules() {
	}

	private static DescribedPredicate<JavaClass> hasSql() {
		return DescribedPredicate.describe("contain SQL",
				(type) -> type.getSimpleName().endsWith("Store") || SHARED_SQL.containsKey(type.getName()));
	}

	private static boolean isBridge(JavaClass type) {
		return BRIDGES.keySet()
			.stream()
			.anyMatch((bridge) -> type.getName().equals(bridge) || type.getName().startsWith(bridge + "$"));
	}

	private static boolean waits(JavaAccess<?> access) {
		if (!(access instanceof JavaMethodCall call)) {
			return false;
		}
		JavaClass owner = call.getTargetOwner();
		return (owner.isAssignableTo(Publisher.class)
				&& (call.getName().startsWith("block") || WAITING.contains(call.getName())))
				|| (owner.isAssignableTo(CompletableFuture.class) && call.getName().equals("join"));
	}

	private static ArchCondition<JavaMethod> nameAnAccount() {
		return new ArchCondition<>("take a Scope or a record with an accountId, or be annotated @AcrossAccounts") {
			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				boolean named = method.isAnnotatedWith(AcrossAccounts.class)
						|| method.getOwner().isAnnotatedWith(AcrossAccounts.class)
						|| method.getAllInvolvedRawTypes()
							.stream()
							.anyMatch((type) -> method.getParameterTypes().toString().contains(type.getName())
									&& carriesAccount(type));
				if (!named) {
					events.add(SimpleConditionEvent.violated(method, method.getDescription() + " names no account"));
				}
			}
		};
	}

	private static boolean carriesAccount(JavaClass type) {
		return type.isAssignableTo(Scope.class) || type.getMethods()
			.stream()
			.anyMatch((method) -> method.getName().equals("accountId")
					&& method.getRawReturnType().isAssignableTo(UUID.class));
	}

}
