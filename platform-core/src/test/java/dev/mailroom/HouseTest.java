package dev.mailroom;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

import org.springframework.modulith.core.ApplicationModules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "dev.mailroom", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {

	@ArchTest
	static final ArchTests HOUSE = ArchTests.in(HouseRules.class);

	@ArchTest
	static final ArchRule CORE_KNOWS_NO_FACE = noClasses().that()
		.resideOutsideOfPackage("dev.mailroom.wire")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.web..", "org.springframework.http..", "org.apache.kafka..",
				"org.springframework.kafka..", "graphql..", "jakarta.mail..", "io.netty..", "io.micrometer..")
		.because("the core is what is true; how it is reached belongs to the apps");

	@Test
	void modulesKeepToTheDependenciesTheyDeclare() {
		ApplicationModules.of("dev.mailroom").verify();
	}

}
