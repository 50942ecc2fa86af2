// Classes as UIKit and an app have them, and replacements like those of the library. The program writes a line for each method
// that runs; scripts/tests/method_exchange_test.py reads them.
#include <objc/objc.h>
#include <objc/runtime.h>
#include <stdbool.h>
#include <stdio.h>

bool tributary_exchange(Class type, SEL original, SEL own);

__attribute__((objc_root_class))
@interface Controller
{
    Class isa;
}
- (void)viewDidAppear:(BOOL)animated;
- (void)tabBar:(id)bar didSelectItem:(id)item;
@end

@implementation Controller
- (void)viewDidAppear:(BOOL)animated { printf("original viewDidAppear %d\n", animated); }
- (void)tabBar:(id)bar didSelectItem:(id)item { printf("original didSelectItem\n"); }
@end

// It inherits the method that is replaced in it.
@interface TabController : Controller
@end

@implementation TabController
@end

// An app's class that overrides a method and calls the one above.
@interface OwnController : Controller
@end

@implementation OwnController
- (void)viewDidAppear:(BOOL)animated {
    printf("app's viewDidAppear\n");
    [super viewDidAppear:animated];
}
@end

@interface Controller (Tributary)
- (void)tributary_viewDidAppear:(BOOL)animated;
- (void)other_viewDidAppear:(BOOL)animated;
@end

@implementation Controller (Tributary)
- (void)tributary_viewDidAppear:(BOOL)animated {
    [self tributary_viewDidAppear:animated];
    printf("tributary viewDidAppear\n");
}
- (void)other_viewDidAppear:(BOOL)animated {
    printf("other library\n");
    [self other_viewDidAppear:animated];
}
@end

@interface TabController (Tributary)
- (void)tributary_tabBar:(id)bar didSelectItem:(id)item;
@end

@implementation TabController (Tributary)
- (void)tributary_tabBar:(id)bar didSelectItem:(id)item {
    printf("tributary didSelectItem\n");
    [self tributary_tabBar:bar didSelectItem:item];
}
@end

static id make(const char *name) { return class_createInstance(objc_getClass(name), 0); }

int main(void) {
    Class controller = objc_getClass("Controller"), tabs = objc_getClass("TabController");
    printf("# missing\n%d\n", tributary_exchange(controller, @selector(viewDidAppear:), sel_registerName("absent:")));
    [make("Controller") viewDidAppear:YES];

    printf("# exchanged\n%d\n",
           tributary_exchange(controller, @selector(viewDidAppear:), @selector(tributary_viewDidAppear:)));
    [make("Controller") viewDidAppear:YES];

    printf("# overridden\n");
    [make("OwnController") viewDidAppear:NO];

    printf("# with another library\n");
    tributary_exchange(controller, @selector(viewDidAppear:), @selector(other_viewDidAppear:));
    [make("Controller") viewDidAppear:YES];

    printf("# inherited\n%d\n",
           tributary_exchange(tabs, @selector(tabBar:didSelectItem:), @selector(tributary_tabBar:didSelectItem:)));
    [make("TabController") tabBar:nil didSelectItem:nil];
    printf("# superclass\n");
    [make("Controller") tabBar:nil didSelectItem:nil];
    return 0;
}
