// SPDX-License-Identifier: Apache-2.0
// Qt is not built with ThreadSanitizer, which so does not see that a queued call comes after what its sender did
// before. It is told so here, for QMetaObject::invokeMethod() and for signals; the linker calls these functions in
// their place (--wrap). What a socket or a timer wakes is ordered after nothing: a race in it is found.
#include <QCoreApplication>
#include <QEvent>

#include <sanitizer/tsan_interface.h>

namespace {

// A slot that is ordered after the call of invokeMethod(), and before the return of one that waits.
class OrderedSlot final : public QtPrivate::QSlotObjectBase {
public:
    explicit OrderedSlot(QtPrivate::QSlotObjectBase *slot)
        : QSlotObjectBase(&run)
        , m_slot(slot)
    {
        __tsan_release(this);
    }

private:
    static void run(int which, QSlotObjectBase *self, QObject *receiver, void **arguments, bool *)
    {
        const auto ordered = static_cast<OrderedSlot *>(self);
        __tsan_acquire(ordered);
        if (which == Call)
            ordered->m_slot->call(receiver, arguments);
        __tsan_release(ordered);
        if (which != Destroy)
            return;
        ordered->m_slot->destroyIfLastRef();
        delete ordered;
    }

    QtPrivate::QSlotObjectBase *m_slot; // a reference of our own
};

char signalled; // its address stands for all signals

bool onDelivery(void **arguments)
{
    if (static_cast<const QEvent *>(arguments[1])->type() == QEvent::MetaCall)
        __tsan_acquire(&signalled);
    return false; // and Qt delivers it
}

const bool isRegistered = QInternal::registerCallback(QInternal::EventNotifyCallback, onDelivery);

} // namespace

#define ACTIVATE(prefix) prefix##_ZN11QMetaObject8activateEP7QObjectPKS_iPPv
#define INVOKE(prefix)                                                                                                 \
    prefix##_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv

extern "C" {

void ACTIVATE(__real_)(QObject *sender, const QMetaObject *meta, int index, void **arguments);
void ACTIVATE(__wrap_)(QObject *sender, const QMetaObject *meta, int index, void **arguments);
bool INVOKE(__real_)(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type, void *result);
bool INVOKE(__wrap_)(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type, void *result);

void ACTIVATE(__wrap_)(QObject *sender, const QMetaObject *meta, int index, void **arguments)
{
    __tsan_release(&signalled);
    ACTIVATE(__real_)(sender, meta, index, arguments);
}

bool INVOKE(__wrap_)(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type, void *result)
{
    auto *const ordered = new OrderedSlot(slot);
    ordered->ref();
    const bool good = INVOKE(__real_)(object, ordered, type, result);
    if (type == Qt::BlockingQueuedConnection)
        __tsan_acquire(ordered);
    ordered->destroyIfLastRef();
    return good;
}

} // extern "C"
