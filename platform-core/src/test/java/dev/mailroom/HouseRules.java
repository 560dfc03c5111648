package dev.mailroom;

import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.reactivestreams.Publisher;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rules of the house that hold in every module. A module's own test includes them.
 */
public final class HouseRules {

	/**
	 * Where plain code waits for Reactor, or starts what runs as long as the app: the
	 * only places that may.
	 */
	private static final Set<String> BRIDGES = Set.of("dev.mailroom.accept.Committer", "dev.mailroom.queue.Fences",
			"dev.mailroom.worker.dispatch.Dispatcher", "dev.mailroom.worker.send.Sender",
			"dev.mailroom.worker.send.Settler");

	@ArchTest
	static final ArchRule NO_CYCLES = slices().matching("dev.mailroom.(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule STORES_ARE_PRIVATE = classes().that()
		.haveSimpleNameEndingWith("Store")
		.should()
		.bePackagePrivate()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule ONLY_STORES_TOUCH_SQL = noClasses().that()
		.haveSimpleNameNotEndingWith("Store")
		.and()
		.doNotBelongToAnyOf(Transactions.class)
		.should()
		.dependOnClassesThat()
		.areAssignableTo(DatabaseClient.class)
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule ONLY_TRANSACTIONS_OPENS_ONE = noClasses().that()
		.doNotBelongToAnyOf(Transactions.class)
		.should()
		.dependOnClassesThat()
		.areAssignableTo(TransactionalOperator.class)
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule STORES_ASK_WHOSE = methods().that()
		.areDeclaredInClassesThat()
		.haveSimpleNameEndingWith("Store")
		.and()
		.areNotPrivate()
		.and()
		.areNotStatic()
		.should(nameAnAccount())
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule FACES_AND_SETTINGS_ARE_PRIVATE = classes().that()
		.haveSimpleNameEndingWith("Controller")
		.or()
		.haveSimpleNameEndingWith("Listener")
		.or()
		.areAnnotatedWith(ConfigurationProperties.class)
		.should()
		.bePackagePrivate()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule NOBODY_BLOCKS = noClasses().that()
		.doNotHaveModifier(JavaModifier.SYNTHETIC)
		.and(DescribedPredicate.not(DescribedPredicate.describe("are bridges",
				(JavaClass type) -> BRIDGES.stream().anyMatch((bridge) -> type.getName().startsWith(bridge)))))
		.should()
		.callMethodWhere(DescribedPredicate.describe("it waits on a Publisher", HouseRules::waits))
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule NO_EMPTY_NAMES = noClasses().should()
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
	static final ArchRule TIME_COMES_FROM_A_CLOCK = noClasses().should()
		.callMethod(Instant.class, "now")
		.orShould()
		.callMethod(Clock.class, "systemDefaultZone")
		.orShould()
		.callMethod(System.class, "currentTimeMillis");

	private HouseRules() {
	}

	private static boolean waits(JavaAccess<?> access) {
		return access instanceof JavaMethodCall call && call.getTargetOwner().isAssignableTo(Publisher.class)
				&& (call.getName().startsWith("block") || Set.of("subscribe", "toFuture").contains(call.getName()));
	}

	private static ArchCondition<JavaMethod> nameAnAccount() {
		return new ArchCondition<>("take a Scope, or a record with an account, or say @AcrossAccounts") {
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
